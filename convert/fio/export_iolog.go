package fio

import (
	"bufio"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/internal/output"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// maxJobs is how many jobs fio runs: each file that is there before needs one.
const maxJobs = 4000

// ExportLog writes NAME.fio, a job that makes the files that are read and replays a log of the
// buffered operations, NAME.iolog, and one of the direct ones, NAME-direct.iolog, as far
// as there are any, in version 3 of fio's format (fio 3.31 or later).
func ExportLog(trace, name string, to output.Destination) (reader *tracefile.Reader, err error) {
	name = line(name)
	r, err := survey(trace)
	if err != nil {
		return nil, err
	}
	if r.uses == [2]int{} {
		return nil, errNothing
	}
	err = to.Write(name+".fio", to.Replace, func(job *bufio.Writer) error {
		logs := &jobsLogs{first: -1}
		write := func() (err error) {
			if reader, err = r.operations(logs.operation); err != nil {
				return err
			}
			return logs.job(settings{job}, r)
		}
		for way, n := range r.uses {
			if n > 0 {
				write = logs.begin(way, n, name, to, write)
			}
		}
		return write()
	})
	return reader, err
}

// errNothing says why there is nothing to write.
var errNothing = errors.New("no data of a regular file was moved by a call, and no request stands alone: there is " +
	"nothing for fio to do")

// logs are the logs of a trace.
type jobsLogs struct {
	ways  [2]*log
	files []*file // in the order of their first use
	first int64   // when the first operation began
}

// log is an iolog while it is written.
type log struct {
	name  string
	w     *bufio.Writer
	shape *shape
	rest  int           // operations that are not written yet
	left  map[*file]int // likewise, of each file
	line  []byte
	err   error
}

// begin has a log of so many operations be there while something is written.
func (l *jobsLogs) begin(way, n int, name string, to output.Destination, write func() error) func() error {
	g := &log{name: name, shape: newShape(), rest: n, left: map[*file]int{}}
	if way == direct {
		g.name += "-direct"
	}
	l.ways[way] = g
	return func() error {
		return to.Write(g.name+".iolog", to.Replace, func(w *bufio.Writer) error {
			g.w = w
			_, g.err = w.WriteString("fio version 3 iolog\n")
			err := write()
			return errors.Join(g.err, err)
		})
	}
}

// operation writes an operation, its file being opened before the first and closed
// after the last. The end of the log is an operation: when fio finds another line there
// it does not wait for what is in flight.
func (l *jobsLogs) operation(o *operation) {
	if l.first < 0 {
		l.first = o.start
	}
	g, f := l.ways[o.way()], o.file
	g.shape.add(o)
	at := max(o.start-l.first, 0)/1000 + 1 // fio loses the pause behind a first time of 0
	if f.name == "" {
		f.name = fmt.Sprintf("%04d-%s", len(l.files), plain(f.Path))
		l.files = append(l.files, f)
	}
	if _, open := g.left[f]; !open {
		g.left[f] = f.uses[o.way()]
		g.put(at, f, "add")
		g.put(at, f, "open")
	}
	g.put(at, f, string(o.action), o.offset, o.length)
	g.rest--
	if g.left[f]--; g.left[f] == 0 && g.rest > 0 {
		g.put(at, f, "close")
	}
}

func (l *log) put(at int64, f *file, action string, numbers ...int64) {
	if l.err != nil {
		return
	}
	b := strconv.AppendInt(l.line[:0], at, 10)
	b = append(append(append(append(b, ' '), f.name...), ' '), action...)
	for _, n := range numbers {
		b = strconv.AppendInt(append(b, ' '), n, 10)
	}
	l.line = append(b, '\n')
	_, l.err = l.w.Write(l.line)
}

// plain is the last part of a path as an iolog can hold it: no space, not long.
func plain(p string) string {
	text := strings.Map(func(c rune) rune {
		if c < 128 && (c == '.' || c == '_' || c == '-' || c >= '0' && c <= '9' || c|32 >= 'a' && c|32 <= 'z') {
			return c
		}
		return '_'
	}, path.Base(p))
	return text[:min(len(text), 64)]
}

// job writes the job that replays the logs.
func (l *jobsLogs) job(s settings, r *recording) error {
	s.comment("Replays what was recorded: fio FILE, in this directory or a copy of it (fio 3.31 or later).")
	s.comment("The files are made there, never where they were; those that were read are filled first.")
	if r.omitted > 0 {
		s.comment("%d operations are left out: their offsets are not known.", r.omitted)
	}
	r.disks.comment(s)
	made := 0
	for _, f := range l.files {
		if f.before() == 0 {
			continue
		}
		made++
		s.section("make " + f.name)
		s.set("filename", f.name)
		s.set("size", f.before())
		s.set("rw", "read")
		s.set("bs", "1,1m")
		s.set("create_only", 1)
	}
	if made > maxJobs {
		return fmt.Errorf("%d files are read, and fio can make %d at most", made, maxJobs)
	}
	waits := made > 0
	for way, g := range l.ways {
		if g == nil {
			continue
		}
		sh := g.shape
		sh.flight.Finish()
		s.section("replay " + g.name)
		s.comment("%d reads, %d writes and %d syncs in %.3f s", sh.sides[read].count, sh.sides[write].count,
			sh.syncs[sync]+sh.syncs[datasync], float64(sh.last-sh.first)/1e9)
		if waits { // until the files are there; both logs begin together
			s.set("stonewall", 1)
		}
		waits = false
		s.set("read_iolog", g.name+".iolog")
		s.set("number_ios", sh.operations()+sh.syncs[trim]) // of more, fio would not wait for the last ones
		s.replay(sh, way)
	}
	return s.w.Flush()
}

// before is how much of a file has to be there before the log begins: what is read of
// it, unless it was written first.
func (f *file) before() int64 {
	if f.wroteEnd > 0 && f.Size < f.readEnd {
		return f.Size
	}
	return f.readEnd
}
