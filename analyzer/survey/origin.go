package survey

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// Profile begins a profile with what a first reading tells; at most so many
// slices of losses are listed.
func Profile(s *Survey, w timeline.Window, losses int) *profile.Profile {
	p := &profile.Profile{
		Trace: origin(s), Command: s.Header.Command, ExitStatus: -1, StartNS: w.Start, WallNS: w.Wall - w.Start,
		DurableNS: profile.Unknown, Lost: s.Lost.profile(losses), Recorder: cost(s),
	}
	if s.Whole {
		p.ExitStatus = s.End.ExitCode
		if s.End.Durable >= 0 {
			p.DurableNS = max(s.Durable()-w.Start, p.WallNS)
		}
	}
	return p
}

func origin(s *Survey) profile.Trace {
	h := s.Header
	t := profile.Trace{
		Backend: h.Backend, Tool: h.Tool, OS: h.OS, Kernel: h.Kernel, Arch: h.Arch, Host: h.Host, Scope: h.Scope,
		WallStart: h.WallStart, CPUs: h.CPUs, MemoryBytes: h.Memory, Dir: h.Dir, DurationNS: s.Last,
		Reason: "interrupted", Damaged: s.Damage, Events: map[string]uint64{}, Limits: []profile.Limit{},
		Trigger: profile.TriggerOf(h.Trigger),
	}
	for k, n := range s.Counts {
		if n > 0 {
			t.Events[trace.Kind(k).String()] = n
		}
	}
	for _, l := range h.Limits {
		t.Limits = append(t.Limits, profile.Limit{Code: string(l.Code), Text: l.Text})
	}
	if s.Whole {
		t.Reason, t.DurationNS, t.Processors = s.End.Reason, s.End.Duration, spent(s.End.Processors)
		for _, u := range s.End.Users {
			t.Users = append(t.Users, profile.User{PID: u.PID, Command: u.Command, Bytes: u.Bytes, Kernel: u.Kernel})
		}
		t.Holders = holders(s)
		if c := s.End.Charged; c != nil {
			t.Charged = &profile.Charge{ReadBytes: c.ReadBytes, WrittenBytes: c.WrittenBytes, UserNS: c.User,
				SystemNS: c.System}
		}
		t.IOLimits, t.CacheDrops, t.Reclaimed = ioLimits(s), s.End.CacheDrops, s.End.Reclaimed
		t.Uncompared = s.End.Uncompared
		t.Mounts, t.SyncedDirs = mounts(s), s.End.SyncedDirs
		for _, l := range s.End.Memory {
			t.MemoryLimits = append(t.MemoryLimits, profile.MemoryLimit{Group: l.Group, Bytes: l.Bytes, Reached: l.Reached})
		}
		t.Samples = samples(s)
		for _, d := range s.End.Drives {
			t.Drives = append(t.Drives, profile.Drive{Name: d.Name, Reads: d.Reads, ReadBytes: d.ReadBytes,
				Writes: d.Writes, WrittenBytes: d.WrittenBytes, BusyNS: d.Busy})
		}
	}
	return t
}

func samples(s *Survey) (list []profile.Sample) {
	for _, x := range s.End.Samples {
		list = append(list, profile.Sample{Process: x.Process, Call: x.Call, Library: x.Library, Function: x.Function,
			Count: x.Count})
	}
	return list
}

func ioLimits(s *Survey) (list []profile.IOLimit) {
	for _, l := range s.End.IOLimits {
		x := profile.IOLimit{Group: l.Group, Device: world.DeviceNumber(l.Device), FromNS: l.From, ReadBytes: l.ReadBytes,
			WriteBytes: l.WriteBytes, Reads: l.Reads, Writes: l.Writes}
		if d := s.Devices.Find(l.Device); d != nil {
			x.Device = d.Name
		}
		list = append(list, x)
	}
	return list
}

// holders are those that were not recorded, but for the other ends of sockets and those that are asked about files. The
// recorder may come upon a process before it knows it as its own, and a helper is in the trace as well.
func holders(s *Survey) (list []profile.Holder) {
	for _, h := range s.End.Holders {
		if h.What == trace.HeldSocket || h.What == trace.HeldAccess || s.Threads[h.PID] == nil {
			x := profile.Holder{What: h.What, Inode: h.Inode, PID: h.PID, Command: h.Command, Address: h.Address}
			if h.Device != 0 {
				x.Device = world.DeviceNumber(h.Device)
			}
			list = append(list, x)
		}
	}
	return append(list, connected(s, list)...)
}

// maxConnected is how many sockets are listed by the address of their connect.
const maxConnected = 64

// connected are the other ends of sockets of which nothing is known but the address of their connect.
func connected(s *Survey, known []profile.Holder) (list []profile.Holder) {
	looked := map[uint64]bool{}
	for i := range known {
		looked[known[i].Inode] = looked[known[i].Inode] || known[i].What == trace.HeldSocket
	}
	for _, f := range s.Files.All {
		if f.Peer != "" && f.Inode != 0 && !looked[f.Inode] && len(list) < maxConnected {
			list = append(list, profile.Holder{What: trace.HeldSocket, Inode: f.Inode, Address: f.Peer})
		}
	}
	return list
}

func spent(p *trace.Processors) *profile.Processors {
	if p == nil {
		return nil
	}
	s := &profile.Processors{BusyNS: p.Busy, IdleNS: p.Idle, StolenNS: p.Stolen, Held: []profile.Held{}}
	for _, h := range p.Held {
		s.Held = append(s.Held, profile.Held{Group: h.Group, TimeNS: h.Time})
	}
	for _, o := range p.Others {
		s.Others = append(s.Others, profile.Runner{PID: o.PID, Command: o.Command, TimeNS: o.Time})
	}
	return s
}

func cost(s *Survey) profile.Recorder {
	c := s.End.Recorder
	r := profile.Recorder{
		ProbeCPUNS: c.ProbeCPU, ProbeSampled: c.Sampled, ProbeRuns: c.ProbeRuns, ReaderCPUNS: c.ReaderCPU,
		MaxRSSBytes: c.MaxRSS, BufferBytes: c.BufferSize, BufferPeak: c.BufferPeak,
	}
	if !s.Whole || c == (trace.Cost{}) {
		r.ProbeCPUNS, r.ReaderCPUNS = profile.Unknown, profile.Unknown
	} else if all := int64(s.Header.CPUs) * s.End.Duration; all > 0 && c.ProbeCPU > 0 {
		r.ProbeShare = float64(c.ProbeCPU) / float64(all)
	}
	return r
}
