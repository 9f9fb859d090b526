package main

import (
	"fmt"
	"time"

	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/tracer"
)

// recordingProgress is how far one is; *tracer.Monitor tells.
type recordingProgress interface {
	Phase() (tracer.Phase, time.Duration)
	Progress() tracer.Progress
}

// recordStatus makes the status line of a recording.
type recordStatus struct {
	Monitor recordingProgress
	Command bool // it records a command, whose screen is shared
	Quiet   bool // that is never written to while the command runs, unless somebody asks

	at            time.Duration // when rates were last worked out, in the phase, and of what
	was           tracer.Progress
	read, written float64 // bytes a second
}

// quiet is how long a command has to leave its screen alone before there is a line on it.
const quiet = 2 * time.Second

// Line is the line of now, "" if none is to be shown. While a command runs the screen is its own: until it has written
// to a terminal there is a line beneath, from then on only for somebody who asks. One goroutine at a time may call it.
func (s *recordStatus) Line(asked bool) (line string, beneath bool) {
	phase, since := s.Monitor.Phase()
	p := s.Monitor.Progress()
	shared := s.Command && phase != tracer.Draining && phase != tracer.Finishing
	if shared && !asked && (s.Quiet || phase != tracer.Running || since < quiet || p.Terminal) {
		return "", true
	}
	switch phase {
	case tracer.Attaching:
		line = "attaching probes"
	case tracer.Draining:
		line = fmt.Sprintf("waiting %s for data to be written back (Ctrl-C ends the wait)", unit.Duration(since))
	case tracer.Waiting:
		line = "recording has ended, waiting for the command"
	case tracer.Running:
		s.measure(p, since)
		line = fmt.Sprintf("recording for %s, %s events, %s read, %s written", unit.Duration(since),
			unit.Count(int64(p.Events)), unit.Rate(s.read), unit.Rate(s.written))
		if p.Lost > 0 {
			line += fmt.Sprintf(", %s lost", unit.Count(int64(p.Lost)))
		}
	default:
		line = "writing the trace file"
	}
	return "iotrace: " + line, shared && !asked
}

// measure works out the rates of the last second.
func (s *recordStatus) measure(p tracer.Progress, since time.Duration) {
	if since < s.at { // the next recording
		s.at, s.was = 0, tracer.Progress{}
	}
	if passed := since - s.at; passed >= time.Second || s.at == 0 && passed > 0 {
		rate := func(now, was int64) float64 { return float64(max(now-was, 0)) / passed.Seconds() }
		s.read, s.written = rate(p.Read, s.was.Read), rate(p.Written, s.was.Written)
		s.at, s.was = since, p
	}
}
