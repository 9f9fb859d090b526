package main

import (
	"testing"
	"time"

	"github.com/iotrace/iotrace/tracer"
)

type moment struct {
	phase    tracer.Phase
	since    time.Duration
	progress tracer.Progress
}

func (m *moment) Phase() (tracer.Phase, time.Duration) { return m.phase, m.since }
func (m *moment) Progress() tracer.Progress            { return m.progress }

// While a command runs a line stands beneath the cursor, from two seconds on and until it writes to a terminal.
func TestStatusOfACommand(t *testing.T) {
	m := &moment{phase: tracer.Running}
	s := recordStatus{Monitor: m, Command: true}
	for _, c := range []struct {
		moment
		line    string
		beneath bool
	}{
		{moment{tracer.Attaching, time.Second, tracer.Progress{}}, "", true},
		{moment{tracer.Running, time.Second, tracer.Progress{Events: 5}}, "", true},
		{moment{tracer.Running, 2 * time.Second, tracer.Progress{Events: 1200, Read: 100e6, Written: 50e6}},
			"iotrace: recording for 2.00 s, 1,200 events, 50.0 MB/s read, 25.0 MB/s written", true},
		{moment{tracer.Running, 2500 * time.Millisecond, tracer.Progress{Events: 1300, Read: 900e6, Written: 50e6}},
			"iotrace: recording for 2.50 s, 1,300 events, 50.0 MB/s read, 25.0 MB/s written", true},
		{moment{tracer.Running, 4 * time.Second, tracer.Progress{Events: 1400, Lost: 3000, Read: 900e6, Written: 70e6}},
			"iotrace: recording for 4.00 s, 1,400 events, 400 MB/s read, 10.0 MB/s written, 3,000 lost", true},
		{moment{tracer.Running, 5 * time.Second, tracer.Progress{Events: 1500, Terminal: true}}, "", true},
		{moment{tracer.Waiting, time.Second, tracer.Progress{}}, "", true},
		{moment{tracer.Finishing, time.Second, tracer.Progress{}}, "iotrace: writing the trace file", false},
	} {
		*m = c.moment
		if line, beneath := s.Line(false); line != c.line || line != "" && beneath != c.beneath {
			t.Errorf("%+v: %q, %v", c.moment, line, beneath)
		}
	}
	*m = moment{tracer.Running, 6 * time.Second, tracer.Progress{Events: 7, Terminal: true}}
	if line, beneath := s.Line(true); line == "" || beneath {
		t.Errorf("who asks is told %q, %v", line, beneath)
	}
}
