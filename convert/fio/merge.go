package fio

import (
	"errors"
	"fmt"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/internal/bounded"
	"github.com/iotrace/iotrace/internal/fdtable"
	"github.com/iotrace/iotrace/trace"
)

// longest is the longest line, far longer than any of a log: a log of each of many jobs is read at once.
const longest = 64 << 10

// job is one log.
type job struct {
	all    *merger
	number uint32
	name   string
	lines  *bounded.Lines
	next   entry
	file   trace.FileID
}

// merger puts the I/Os of all jobs into one order, that of their ends.
type merger struct {
	sink      trace.Sink
	count     *convert.Counts
	files     *fdtable.Files
	entries   uint64
	placeless uint64 // without an offset
	averages  uint64 // lines that stand for many I/Os
	ones      uint64 // with a latency of 1 ns
	issued    uint64 // that say when they were issued
}

// Time implements interleave.Source.
func (j *job) Time() int64 { return j.next.time }

// Next reads the next I/O.
func (j *job) Next() error {
	for {
		line, err := j.lines.Next()
		m := j.all
		if errors.Is(err, bounded.ErrTooLong) {
			m.count.AddLong()
			continue
		}
		if err != nil {
			return err
		}
		m.count.Lines++
		switch {
		case !j.next.parse(line):
			m.count.AddDamaged()
		case j.next.size == 0:
			m.averages++
			m.count.Skipped++
		case j.next.direction > 2:
			m.count.Skipped++
		default:
			return nil
		}
	}
}

// write makes the event of a job's I/O.
func (m *merger) write(j *job) (err error) {
	e := &j.next
	m.entries++
	if e.latency == 1 {
		m.ones++
	}
	if e.offset < 0 {
		m.placeless++
	}
	if j.file == 0 {
		if j.file, err = m.files.ID(fmt.Appendf(nil, "files of job %d, %s", j.number, j.name), 0, 0); err != nil {
			return err
		}
		if err := m.sink.Process(&trace.Process{Action: trace.ProcessPresent, PID: j.number, TID: j.number,
			Command: "fio"}); err != nil {
			return err
		}
	}
	end := max(e.time*1e6, e.latency)
	begin := end - e.latency
	if e.issue >= 0 {
		m.issued++
		begin, end = e.issue, e.issue+e.latency
	}
	op := [...]trace.Op{trace.OpRead, trace.OpWrite, trace.OpDiscard}[e.direction]
	return m.sink.AsyncOp(&trace.AsyncOp{Submit: begin, Complete: end, PID: j.number, TID: j.number,
		Op: op, File: j.file, Offset: e.offset, Requested: e.size, Result: e.size})
}
