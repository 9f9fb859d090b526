package verdict

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"

	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// mapped is for reads through mappings: each is a page fault that waited.
func mapped(a *account) {
	m := faulted(a)
	if m.file == nil || m.time*2 < a.spent[onReads] {
		return // reads by calls
	}
	r := profile.Reason{
		Code: cause.MappedReads, Name: "waiting for mapped files", TimeNS: a.take(onReads), Certainty: cause.Measured,
		Remedy: "touch it in order, or prefetch (madvise WILLNEED, MAP_POPULATE)",
	}
	faults, pointer := m.file.Faults, fmt.Sprintf("/files/%d/faults", m.index)
	many, layer := m.scattered(a)
	waits := fmt.Sprintf("%s for %s, %s", unit.Things(faults.Count, "wait"), unit.Bytes(faults.Filled),
		wording.Each(&faults.Latency))
	r.Evidence = []profile.Evidence{
		at(pointer+"/count", float64(faults.Count)),
		at(pointer+"/time_ns", float64(faults.TimeNS)),
		at(pointer+"/filled_bytes", float64(faults.Filled)),
	}
	better := a.betterAdvice(m.file)
	switch name := path.Base(m.file.Path); {
	case m.started:
		r.Code, r.Name = cause.ProgramStart, "loading the program"
		r.Text = fmt.Sprintf("the program and its libraries had to be read, such as %s: %s", name, waits)
		r.Remedy = "the next start will be warm (cached); fewer or smaller libraries"
	case many != nil:
		r.Evidence = []profile.Evidence{at(layer+"/count", float64(many.Count)), at(layer+"/bytes", float64(many.Bytes))}
		r.Text = fmt.Sprintf("%s are mapped, not read by calls%s, such as %s%s: %s for %s, %s", m.number(a),
			m.each(a, many), name, speed(a, many.Bytes, m.time), unit.Things(many.Count, "wait"),
			unit.Bytes(many.Bytes), wording.Each(&many.Latency))
		r.Remedy = "several files in parallel, or prefetch (posix_fadvise or madvise WILLNEED)"
		if d := wording.Busiest(a.p, false); d != nil {
			if small, _ := smallFiles(a, d); small != "" {
				r.Remedy = "fewer, larger files (git gc, an archive, a database), or " + r.Remedy
			}
		}
	default:
		r.Text = fmt.Sprintf("%s is mapped, not read by calls%s%s: %s", name, touched(faults),
			speed(a, faults.Filled, faults.TimeNS), waits)
		if around := each(faults); around > 0 {
			a.figure("filled_bytes_each", float64(around))
			r.Text = fmt.Sprintf("%s is mapped%s: %s, each for %s around it, %s", name, touched(faults),
				unit.Things(faults.Count, "wait"), unit.Bytes(around), wording.Each(&faults.Latency))
		}
		if better != "" {
			r.Remedy = better
		}
	}
	a.because(r)
}

// faults are those of all mapped files, and the file with most of their time: of the programs and their libraries, if
// most of it went to these, else of the others.
type faults struct {
	file    *profile.File
	index   int
	files   int
	time    int64
	started bool
}

// add takes a file.
func (m *faults) add(i int, f *profile.File) {
	m.files++
	m.time += f.Faults.TimeNS
	if m.file == nil || f.Faults.TimeNS > m.file.Faults.TimeNS {
		m.file, m.index = f, i
	}
}

func faulted(a *account) faults {
	var data faults
	programs := faults{started: true}
	for i := range a.p.Files {
		switch f := &a.p.Files[i]; {
		case f.Faults == nil:
		case code(a, f):
			programs.add(i, f)
		default:
			data.add(i, f)
		}
	}
	m := &data
	if programs.time >= data.time {
		m = &programs
	}
	m.time = programs.time + data.time
	return *m
}

// scattered is what the page faults of all files read, and where that is told, if no file has half of it; else nil.
func (m *faults) scattered(a *account) (read *profile.Flow, pointer string) {
	if 2*m.file.Faults.TimeNS >= m.time {
		return nil, ""
	}
	for i := range a.p.Layers {
		if l := &a.p.Layers[i]; l.Name == "faults" && l.Read != nil {
			return l.Read, fmt.Sprintf("/layers/%d/read", i)
		}
	}
	return nil, ""
}

// number is how many files they are, at least, as some may have been left out.
func (m *faults) number(a *account) string {
	a.figure("mapped_files", float64(m.files))
	if n := unit.Things(int64(m.files), "file"); a.p.Omitted.Files == 0 {
		return n
	} else {
		return "more than " + n
	}
}

// each says how many waits there were for a file, if these are many files and few waits: no more of each was touched
// than what came with them.
func (m *faults) each(a *account, all *profile.Flow) string {
	waits := float64(all.Count) / float64(m.files)
	if m.files < several || waits >= several || a.p.Omitted.Files > 0 {
		return ""
	}
	a.figure("waits_each", waits)
	return fmt.Sprintf(", %s waits each", unit.Number(waits))
}

// betterAdvice is what helps by the order in which a mapped file is touched, and by what the program has told the
// kernel of that (madvise): told of random access, it reads single pages; else all that lies around each. Where most of
// the file comes in anyway, single pages are too little in any order: memcpy goes backwards at times.
func (a *account) betterAdvice(file *profile.File) string {
	f, random := file.Faults, file.Advice["random"] > 0
	p := f.Pattern
	switch {
	case a.populated(f):
		return "leave out MAP_POPULATE, so that only what is touched is read; or ask for less of the file"
	case random && (2*f.Filled > file.Size || p != nil && p.Sequential > nearlyAll):
		return "leave out MADV_RANDOM, so that the kernel reads ahead"
	case p == nil:
		return ""
	case p.Sequential > nearlyAll:
		return "prefetch (madvise WILLNEED, MAP_POPULATE); a faster drive"
	case p.Backward > third && !random && f.Filled > f.Count*wording.SmallRequest && a.full():
		return "less around each touch: MADV_RANDOM, or less readahead (blockdev --setra); the drive had enough to do"
	case p.Backward > third && !random && f.Filled > f.Count*wording.SmallRequest:
		return "prefetch what will be touched (madvise WILLNEED); where that is single pages, MADV_RANDOM reads no more"
	}
	return ""
}

// populated reports whether the call that maps files waited in most of the page faults of one: it had it read at once.
func (a *account) populated(f *profile.FaultCount) bool {
	c, _ := longest(a, func(c *profile.Call) bool { return c.Op == trace.OpMmap })
	return c != nil && 2*c.TimeNS > f.TimeNS
}

// full reports whether the device that was read from had enough to do: to ask it for the same earlier would not help.
func (a *account) full() bool {
	d := wording.Busiest(a.p, false)
	return d != nil && d.Saturated(a.p)
}

// code reports whether a file is a program or a library.
func code(a *account, f *profile.File) bool {
	return strings.Contains(path.Base(f.Path), ".so") ||
		slices.ContainsFunc(a.p.Processes, func(p profile.Process) bool { return p.Exe == f.Path })
}

// touched says in which order a mapped file was gone through.
func touched(f *profile.FaultCount) string {
	switch p := f.Pattern; {
	case p == nil:
		return ""
	case p.Sequential > nearlyAll:
		return ", and touched in order"
	case p.Backward > nearlyAll:
		return ", and touched backwards"
	case p.Backward > third:
		return ", and touched at random"
	}
	return ""
}

// each is how much came in with each wait, where a file was touched at random; 0 where that is little.
func each(f *profile.FaultCount) int64 {
	if f.Pattern == nil || f.Pattern.Backward <= third || f.Count < several || f.Filled <= f.Count*wording.SmallRequest {
		return 0
	}
	return f.Filled / f.Count
}

// speed says how fast bytes came in.
func speed(a *account, bytes, ns int64) string {
	if ns <= 0 {
		return ""
	}
	rate := int64(float64(bytes) / float64(ns) * 1e9)
	a.figure("filled_bytes_per_s", float64(rate))
	return ", at " + unit.Speed(rate)
}
