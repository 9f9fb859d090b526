package block

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/iotrace/iotrace/convert"

	"github.com/iotrace/iotrace/internal/bounded"
	"github.com/iotrace/iotrace/trace"
)

// The collections.
var (
	Cambridge = importer("msr-cambridge", "windows", cambridge,
		"the CSV files of the MSR Cambridge traces (SNIA IOTTA 388)")
	Alibaba = importer("alibaba-block", "linux", alibaba, "the CSV files of the Alibaba block traces (io_traces.csv)",
		trace.LimitNoDurations.Limit())
	Tencent = importer("tencent-cbs", "linux", tencent, "the files of the Tencent block storage traces (SNIA IOTTA 27917)",
		trace.LimitNoDurations.Limit())
	Systor = importer("systor17", "linux", systor, "the CSV files of the SYSTOR '17 traces (SNIA IOTTA 4928)")
	SPC    = importer("spc", "", spc, "traces in the format of the Storage Performance Council, such as UMass Financial1 "+
		"and WebSearch1 (ASU,LBA,Size,Opcode,Timestamp)", trace.LimitNoDurations.Limit())
	FIU = importer("fiu", "linux", fiu, "the block traces of Florida International University, such as IODedup "+
		"(SNIA IOTTA 391)", trace.LimitNoDurations.Limit())
	CloudPhysics = importer("cloudphysics", "", cloudphysics, "the CSV files of the CloudPhysics block traces "+
		"(ts,lba,op,size)", trace.LimitNoDurations.Limit())
)

func importer(from, system string, c collection, about string, more ...trace.Limit) convert.Importer {
	limits := append(Limits("The trace"), trace.Limit{Code: trace.LimitNoErrors,
		Text: "The trace does not say whether a request failed."}, trace.LimitNoQueue.Limit(), trace.LimitNoFlushes.Limit(),
		trace.LimitNoMerges.Limit())
	return convert.Importer{From: from, About: about, Joins: true, Import: convert.Checked(c.read(from)),
		Header: trace.Header{Backend: "import:" + from, OS: system, Scope: "import", Limits: append(limits, more...)}}
}

// collection says how the lines of a collection are laid out.
type collection struct {
	names    string // of the columns, as the collection documents them
	heading  string // how a line with the names begins, if there may be one
	spaces   bool   // columns are parted by a space, not by a comma
	numbered bool   // devices have their numbers
	open     bool   // further columns may follow, which say nothing that a trace holds
	row      func(r *reader, f [][]byte, to *Row) bool
	notes    []string
}

// reader is a collection being read.
type reader struct {
	collection
	finished *Finished
	columns  int
	begun    bool
	zero     uint64 // the first time, in the unit of the collection: later ones count from there
	disks    map[string]string
	fields   [9][]byte
	next     Row
}

func (c collection) read(from string) func(io.Reader, trace.Sink) (convert.Counts, error) {
	return func(in io.Reader, sink trace.Sink) (n convert.Counts, err error) {
		r := reader{collection: c, columns: strings.Count(c.names, ",") + 1,
			finished: NewFinished(sink), disks: map[string]string{}}
		if err = n.Each(in, r.line); err == nil {
			err = r.finished.Flush()
		}
		if err != nil {
			return n, err
		}
		if n.Lines > 0 && r.finished.Rows == 0 {
			return n, fmt.Errorf("importing from %s: %w: none of %d lines has the columns %s", from, convert.ErrFormat, n.Lines,
				c.names)
		}
		n.Notes = append(append(n.Notes, r.finished.Notes()...), c.notes...)
		if c.numbered {
			return n, nil
		}
		n.Notes = append(n.Notes, "disks are named without their numbers: the device numbers of this trace are made up")
		return n, nil
	}
}

func (r *reader) line(text []byte) (convert.Verdict, error) {
	if len(text) == 0 || r.heading != "" && bytes.HasPrefix(text, []byte(r.heading)) {
		return convert.Skipped, nil
	}
	n, separator := 0, byte(',')
	if r.spaces {
		separator = ' '
	}
	for end := 0; end >= 0 && (n < r.columns || !r.open); n++ {
		if n == len(r.fields) {
			return convert.Damaged, nil
		}
		r.fields[n] = text
		if end = bytes.IndexByte(text, separator); end >= 0 {
			r.fields[n], text = text[:end], text[end+1:]
		}
	}
	r.next = Row{Request: trace.Request{Offset: trace.NoOffset, Bios: 1}}
	if n != r.columns || !r.row(r, r.fields[:n], &r.next) {
		return convert.Damaged, nil
	}
	return r.finished.Add(&r.next)
}

// since is the time since the first of the trace, in ns; unit is how long a step of the clock is. One that lies years
// away is no time.
func (r *reader) since(at uint64, unit int64) (ns int64, ok bool) {
	if !r.begun {
		r.begun, r.zero = true, at
	}
	const years = 1 << 58 // ns
	steps := int64(at - r.zero)
	return steps * unit, steps < years/unit && steps > -years/unit
}

// disk is the name of a disk. It is kept, so that it is made once.
func (r *reader) disk(prefix string, parts ...[]byte) string {
	var buffer [64]byte
	key := append(buffer[:0], prefix...)
	for i, p := range parts {
		if i > 0 {
			key = append(key, '-')
		}
		key = append(key, p...)
	}
	name, known := r.disks[string(key)]
	if !known {
		if name = string(key); len(r.disks) < convert.MaxSeen && len(name) <= bounded.MaxName {
			r.disks[name] = name
		}
	}
	return name
}
