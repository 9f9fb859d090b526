package analyzer

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/trace"
)

// profile begins a profile with what a first reading tells; at most so many
// slices of losses are listed.
func (s *survey) profile(w timeline.Window, losses int) *profile.Profile {
	p := &profile.Profile{
		Trace: s.origin(), Command: s.header.Command, ExitStatus: -1, StartNS: w.Start, WallNS: w.Wall - w.Start,
		DurableNS: profile.Unknown, Lost: s.lost.profile(losses), Recorder: s.cost(),
	}
	if s.whole {
		p.ExitStatus = s.end.ExitCode
		if s.end.Durable >= 0 {
			p.DurableNS = max(s.end.Durable-w.Start, p.WallNS)
		}
	}
	return p
}

func (s *survey) origin() profile.Trace {
	h := s.header
	t := profile.Trace{
		Backend: h.Backend, Tool: h.Tool, OS: h.OS, Kernel: h.Kernel, Arch: h.Arch, Host: h.Host, Scope: h.Scope,
		WallStart: h.WallStart, CPUs: h.CPUs, MemoryBytes: h.Memory, Dir: h.Dir, DurationNS: s.last,
		Reason: "interrupted", Damaged: s.damage, Events: map[string]uint64{}, Limits: []profile.Limit{},
	}
	for k, n := range s.counts {
		if n > 0 {
			t.Events[trace.Kind(k).String()] = n
		}
	}
	for _, l := range h.Limits {
		t.Limits = append(t.Limits, profile.Limit{Code: string(l.Code), Text: l.Text})
	}
	if s.whole {
		t.Reason, t.DurationNS = s.end.Reason, s.end.Duration
	}
	return t
}

func (s *survey) cost() profile.Recorder {
	c := s.end.Recorder
	r := profile.Recorder{
		ProbeCPUNS: c.ProbeCPU, ProbeSampled: c.Sampled, ProbeRuns: c.ProbeRuns, ReaderCPUNS: c.ReaderCPU,
		MaxRSSBytes: c.MaxRSS, BufferBytes: c.BufferSize, BufferPeak: c.BufferPeak,
	}
	if !s.whole || c == (trace.Cost{}) {
		r.ProbeCPUNS, r.ReaderCPUNS = profile.Unknown, profile.Unknown
	} else if all := int64(s.header.CPUs) * s.end.Duration; all > 0 && c.ProbeCPU > 0 {
		r.ProbeShare = float64(c.ProbeCPU) / float64(all)
	}
	return r
}
