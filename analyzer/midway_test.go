package analyzer

import (
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// midway is a copy of 8 MiB that the recording joins after 2 MiB: 256 KiB of
// them had been read, but not written yet.
func midway(t *testing.T) (m *moves, a, b trace.FileID) {
	m = moving(newScene(t))
	m.put(m.now, &trace.Process{Time: m.now, Action: trace.ProcessPresent, PID: m.pid, TID: m.pid, Command: "pv"})
	return m, m.file("/d/a", 8*MiB), m.file("/d/b", 2*MiB)
}

const ring, unread = uint64(0x7f0000000000), 256 * KiB

// piece reads what comes after the bytes that wait in a ring, and writes the
// first of these.
func (m *moves) piece(a, b trace.FileID, at int64) {
	place := func(at int64) uint64 { return ring + uint64(at%(2*unread)) }
	if at+unread < 8*MiB {
		m.into(a, at+unread, 128*KiB, place(at+unread))
	}
	m.from(b, at, 128*KiB, place(at))
}

// TestJoinedMidway: of a copy that had begun before, what was seen of it is a
// part, interrupted if the recording ended first.
func TestJoinedMidway(t *testing.T) {
	for end, interrupted := range map[int64]bool{4 * MiB: true, 8 * MiB: false} {
		m, a, b := midway(t)
		for at := 2 * MiB; at < end; at += 128 * KiB {
			m.piece(a, b, at)
		}
		m.end.Duration = m.now
		if !interrupted {
			m.done(a, b)
			m.exit(0)
		}
		c := one(t, m.profile())
		if c.DestAt != 2*MiB+unread || c.SourceAt != c.DestAt || c.Bytes != end-c.DestAt || c.Interrupted != interrupted ||
			c.HoleBytes != 0 || c.Certainty != "traced" {
			t.Errorf("until %d: %d bytes at %d, holes %d, interrupted %v, %s", end, c.Bytes, c.DestAt, c.HoleBytes,
				c.Interrupted, c.Certainty)
		}
	}
}

// TestJoinedMidwayIsNoCopy: what comes from nowhere makes a file something else
// if it does not end where the copied bytes begin, or if the file was opened
// since.
func TestJoinedMidwayIsNoCopy(t *testing.T) {
	for name, act := range map[string]func(m *moves, a, b trace.FileID){
		"elsewhere": func(m *moves, a, b trace.FileID) { m.from(b, 0, 4096, 0x1000) },
		"later": func(m *moves, a, b trace.FileID) {
			m.into(a, 2*MiB, MiB, ring)
			m.from(b, 2*MiB, MiB, ring)
			m.from(b, 3*MiB, 4096, 0x1000)
		},
		"opened": func(m *moves, a, b trace.FileID) {
			m.open(b, trace.FlagWrite)
			m.from(b, 2*MiB-4096, 4096, 0x1000)
		},
	} {
		m, a, b := midway(t)
		act(m, a, b)
		if name != "later" {
			m.into(a, 2*MiB, MiB, ring)
			m.from(b, 2*MiB, MiB, ring)
		}
		if p := m.finish(a, b); len(p.Copies) != 0 {
			t.Errorf("%s: %+v", name, p.Copies)
		}
	}
}
