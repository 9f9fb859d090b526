package analyzer

import (
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// TestManySessions: a log that is opened for each line has as many links to a file as it has lines, where each is
// written from memory that the file had been read into. To hold each against all others would take half an hour.
func TestManySessions(t *testing.T) {
	m := moving(newScene(t, "chat"))
	names := m.file("/names", 170)
	m.into(names, 0, 170, 0x1000)
	m.done(names)
	log := m.file("/chat.log", 0)
	const lines = 250_000
	for i := range int64(lines) {
		m.open(log, trace.FlagWrite|trace.FlagAppend)
		m.from(log, 24*i, 24, 0x1000)
		m.done(log)
	}
	m.returns()
	if p := m.profile(); len(p.Copies) > 0 {
		t.Errorf("%d copies", len(p.Copies))
	}
}
