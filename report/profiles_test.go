package report

import (
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// hostileNames are what traced files may be called. Every writer has to show
// them as text.
var hostileNames = []string{
	"</script><script>window.pwned=1</script>",
	"<img src=x onerror=window.pwned=1>",
	"\"><svg onload=window.pwned=1>",
	"two\nlines\tand\ttabs",
	"not\xff\xfeutf-8\xc3",
	"\x1b[31mred\x1b[0m\x1b]0;title\x07",
	"csi \u009b31m and bidi \u202egnp.exe\u202c",
	"{b}{c} ${HOME} {{.}} %s $read @time",
	"写真/日本語のとても長い名前のファイル.jpeg",
	strings.Repeat("deep/", 819) + "x",
}

// copyProfile is a copy of a big file to a slower device whose cache fills.
func copyProfile(total int64, bins, tiles int) *profile.Profile {
	s, exit := simulateCopy(total, 7)
	calls, src, dst := s.lanes["thread cp"], s.lanes["device nvme0n1"], s.lanes["device sdb"]
	waits := simWaits(s.lanes["waits"])
	start := int64(4e6)
	wall, durable := exit-start, s.end-1e6-start
	read, write := s.flow(calls, false, true), s.flow(calls, true, true)
	devRead, devWrite := s.flow(src, false, true), s.flow(dst, true, true)
	think := profile.Dist{Count: read.Count * 2, Min: 700, P10: 1000, P50: 1480, P90: 2100, P99: 2900, P999: 3500,
		Max: 5200, Sum: read.Count * 3000}
	p := &profile.Profile{
		Trace: profile.Trace{
			File: "copy.iotrace", Backend: "ebpf", Tool: "iotrace 0.1.0", OS: "linux", Kernel: "6.18.5", Arch: "amd64",
			Host: "bench01", Scope: "command", WallStart: simStart, CPUs: 16, MemoryBytes: 64 << 30, Dir: "/home/mia",
			DurationNS: s.end, Reason: "exit", Events: map[string]uint64{"syscall": uint64(len(calls) + 120),
				"request": uint64(len(src) + len(dst)), "wait": uint64(len(s.lanes["waits"]))},
		},
		Command: []string{"cp", "models/big.gguf", "/mnt/ext/"}, StartNS: start, WallNS: wall, DurableNS: durable,
		Layers: []profile.Layer{
			{Name: "calls", Read: read, Write: write},
			{Name: "disk", Level: 1, Devices: []string{"nvme0n1", "sdb"}, Read: devRead, Write: devWrite},
		},
		Files: []profile.File{
			{Path: "/home/mia/models/big.gguf", Type: trace.FileRegular, Device: "259:2", Inode: 1311, FSType: "ext4",
				Mount: "/",
				Size:  total, Processes: []uint32{4242}, Read: read, DeviceRead: devRead,
				Ops: []profile.OpCount{{Op: trace.OpOpen, Count: 1, TimeNS: 8e3}, {Op: trace.OpStat, Count: 1, TimeNS: 2e3},
					{Op: trace.OpRead, Count: read.Count, TimeNS: read.Latency.Sum, Bytes: read.Bytes},
					{Op: trace.OpClose, Count: 1, TimeNS: 900}},
				Cache:       &profile.Cache{ReadBytes: total, FilledBytes: total, DeviceBytes: total, State: "cold"},
				ReadPattern: &profile.AccessPattern{Class: "sequential", Accesses: read.Count, Consecutive: 1, Sequential: 1}},
			{Path: "/mnt/ext/big.gguf", Type: trace.FileRegular, Device: "8:17", Inode: 13, FSType: "xfs",
				Mount: "/mnt/ext", Size: total,
				Created: true, Processes: []uint32{4242}, Write: write, DeviceWrite: devWrite,
				Ops: []profile.OpCount{{Op: trace.OpOpen, Count: 1, TimeNS: 61e3}, {Op: trace.OpWrite, Count: write.Count,
					TimeNS: write.Latency.Sum, Bytes: write.Bytes}, {Op: trace.OpClose, Count: 1, TimeNS: 1200}},
				WritePattern: &profile.AccessPattern{Class: "sequential", Accesses: write.Count, Consecutive: 1, Sequential: 1}},
			{Path: "/usr/lib/locale/locale-archive", Type: trace.FileRegular, Device: "259:2", Inode: 77,
				FSType: "ext4", Mount: "/",
				Size: 3048976, Processes: []uint32{4242}, Ops: []profile.OpCount{{Op: trace.OpOpen, Count: 1, TimeNS: 4e3},
					{Op: trace.OpMmap, Count: 1, TimeNS: 6e3}}},
		},
		Devices: []profile.Device{
			{Name: "nvme0n1", ID: "259:0", Layer: "disk", Level: 1, Model: "Samsung SSD 990 PRO 2TB", Scheduler: "none",
				LogicalBlock: 512, MaxRequest: 1 << 20, ReadAhead: 128 << 10, QueueDepth: 1023, Size: 2e12,
				WriteCache: "write back", Read: devRead, Depth: devRead.Depth, BandwidthBusy: busyRate(devRead),
				MeanAccess: devRead.Latency.Sum / devRead.Count, Evidence: map[string]int64{"exact": total}},
			{Name: "sdb", ID: "8:16", Layer: "disk", Level: 1, Model: "Extreme SSD", Scheduler: "mq-deadline", LogicalBlock: 512,
				MaxRequest: 1 << 20, ReadAhead: 128 << 10, QueueDepth: 60, Size: 1e12, WriteCache: "write back",
				Write: devWrite, Flush: s.flow(dst, false, false), Depth: devWrite.Depth, BandwidthBusy: busyRate(devWrite),
				MeanAccess: devWrite.Latency.Sum / devWrite.Count, Background: total, Evidence: map[string]int64{"inode": total}},
		},
		Processes: []profile.Process{{PID: 4242, Parent: 4200, Command: "cp", Args: []string{"cp", "models/big.gguf",
			"/mnt/ext/"}, Exe: "/usr/bin/cp", UID: 1000, StartNS: start, EndNS: exit, CPUNS: wall / 5, Threads: 1,
			CallNS: read.Latency.Sum + write.Latency.Sum, Calls: read.Count + write.Count + 120, Read: read, Write: write,
			WaitNS: waits, DevRead: total, DevWrite: total}},
		Calls: []profile.Call{
			{Op: trace.OpWrite, Name: "write", Count: write.Count, Bytes: write.Bytes, TimeNS: write.Latency.Sum,
				Size:    write.Size,
				Latency: write.Latency},
			{Op: trace.OpRead, Name: "read", Count: read.Count, Bytes: read.Bytes, TimeNS: read.Latency.Sum, Size: read.Size,
				Latency: read.Latency},
			{Op: trace.OpOpen, Name: "openat", Count: 34, Errors: 3,
				Errno: map[trace.Errno]int64{trace.ErrNoEntry: 3}, TimeNS: 311e3,
				Latency: profile.Dist{Count: 34, P50: 5200, P99: 61000, Max: 61000, Sum: 311e3}},
			{Op: trace.OpStat, Name: "newfstatat", Count: 29, TimeNS: 51e3,
				Latency: profile.Dist{Count: 29, P50: 1400, P99: 4100,
					Max: 4100, Sum: 51e3}},
		},
		Copies: []profile.Copy{{
			Method: "read_write", Source: "/home/mia/models/big.gguf", Destination: "/mnt/ext/big.gguf", Bytes: total,
			SourceSize: total, Evidence: "flow", Because: "every byte written had been read at the same offset just before",
			Processes: []uint32{4242}, Threads: 1, StartNS: start, WallNS: wall, DurableNS: durable, BytesPerS: per(total, wall),
			DurableBytesPerS: per(total, durable), BufferBytes: 128 << 10, Read: read, Write: write, DeviceRead: devRead,
			DeviceWrite: devWrite, Think: &think, ReadShare: share(read.Latency.Sum, wall), WriteShare: share(write.Latency.Sum,
				wall), ThinkShare: .03,
			DeviceReadBytes: total, DeviceWriteBytes: total, CacheHitShare: 0, ReadAmplification: 1, WriteAmplification: 1,
			MetadataCalls: 7, MetadataNS: 90e3,
		}},
		Pattern: profile.WholePattern{ReadMix: .5, DeviceMix: .5, ReadClass: "sequential", WriteClass: "sequential",
			CallDepth: read.Depth, DeviceDepth: devWrite.Depth, Think: think, WorkingSet: 2 * total},
		Recorder: profile.Recorder{ProbeCPUNS: 12e6, ProbeSampled: true, ProbeRuns: 81234, ReaderCPUNS: 31e6,
			MaxRSSBytes: 41 << 20, BufferBytes: 64 << 20, BufferPeak: 3 << 20, ProbeShare: .0004},
		Charts: s.charts(bins, tiles),
	}
	step := total * 6 / 10
	at := stepTime(dst, step)
	p.ChangePoints = []profile.Step{{Series: "device write", Device: "sdb", AtBytes: step, AtNS: at, Before: 2.1e9,
		After: .62e9, Ratio: .3, P: 1e-6, DeviceToo: true, BeforeNS: 476190, AfterNS: 1612903, SizeBefore: 1 << 20,
		SizeAfter: 1 << 20,
		Parts:     []profile.StepPart{{Label: "device_write", Text: "device writing", BeforeNS: 451613, AfterNS: 1561290}}}}
	p.Phases = []profile.Phase{
		{Series: "device write", Device: "sdb", ToBytes: step, FromNS: start, ToNS: at, BytesPerS: 2.1e9, BusyRate: 2.1e9,
			Chunk: 64 << 20, Chunks: 20},
		{Series: "device write", Device: "sdb", FromBytes: step, ToBytes: total, FromNS: at, ToNS: s.end, BytesPerS: .62e9,
			BusyRate: .62e9, Chunk: 64 << 20, Chunks: 13},
	}
	p.Charts.Timeline.Marks = []profile.Marker{
		{FromNS: start, ToNS: start, Kind: "exec", Text: "cp"},
		{FromNS: start, ToNS: exit, Kind: "copy", Text: "/home/mia/models/big.gguf → /mnt/ext/big.gguf"},
		{FromNS: at, ToNS: at, Kind: "step", Text: "sdb write: 2.10 GB/s → 620 MB/s"},
		{FromNS: exit, ToNS: exit, Kind: "exit", Text: "cp returned"},
		{FromNS: start + durable, ToNS: start + durable, Kind: "durable", Text: "all data on the disk"},
	}
	p.Charts.Rates = []profile.Rates{simRates(dst, "device write", "sdb", 64<<20)}
	p.TimeStack, p.Charts.Stack = simStack(p, waits.Throttle)
	p.Observations = []profile.Sentence{
		{Code: "copy_serial", Subject: "/copies/0", Text: "128 KiB calls, one at a time (queue depth 1 at the call): " +
			"reading and writing never overlapped.", Evidence: []profile.Evidence{{Pointer: "/copies/0/buffer_bytes",
			Value: 128 << 10}, {Pointer: "/copies/0/read/depth/mean_busy", Value: 1}}},
		{Code: "throttled", Subject: "/time_stack", Text: "The writer was held back " +
			unit.Share(share(waits.Throttle, wall)) + " of the time because too much unwritten data had gathered: sdb could " +
			"not keep up.", Evidence: []profile.Evidence{{Pointer: "/processes/0/wait_ns/throttle",
			Value: float64(waits.Throttle)}}},
		{Code: "step", Subject: "/change_points/0", Text: "sdb wrote 2.10 GB/s until " +
			"60 % of the data, then 620 MB/s: two causes fit, see Phases.",
			Evidence: []profile.Evidence{{Pointer: "/change_points/0/ratio", Value: .3}}},
	}
	return p
}

func simWaits(events []simEvent) (w profile.Waits) {
	for _, e := range events {
		w.Throttle += e.dur
	}
	return w
}

func per(bytes, ns int64) int64      { return int64(float64(bytes) / (float64(ns) / 1e9)) }
func share(part, all int64) float64  { return float64(part) / float64(all) }
func busyRate(f *profile.Flow) int64 { return per(f.Bytes, f.Depth.BusyNS) }

func stepTime(events []simEvent, bytes int64) int64 {
	var sum int64
	for _, e := range events {
		if sum += e.bytes; sum >= bytes {
			return e.start + e.dur
		}
	}
	return 0
}

func simRates(events []simEvent, series, device string, chunk int64) profile.Rates {
	r := profile.Rates{Series: series, Device: device, Chunk: chunk}
	var sum, last int64
	for _, e := range events {
		if sum += e.bytes; sum >= chunk {
			at := e.start + e.dur
			r.AtNS, r.Rate, r.Busy = append(r.AtNS, at), append(r.Rate, per(sum, at-last)), append(r.Busy, at-last)
			sum, last = 0, at
		}
	}
	return r
}

// simStack makes up a time stack that adds up.
func simStack(p *profile.Profile, throttled int64) (profile.TimeStack, []profile.Labels) {
	total := p.Charts.Timeline.EndNS - p.StartNS
	drain := total - p.WallNS
	cache, cpu := p.WallNS/7, p.WallNS/30
	both := (p.WallNS - throttled - cache - cpu) / 3
	rest := p.WallNS - throttled - cache - cpu - both
	labels := []profile.StackSlice{
		{Label: "device_read", Group: "device", NS: both / 4, Text: "only reading from a device"},
		{Label: "device_write", Group: "device", NS: rest - both/4, Text: "only writing to a device"},
		{Label: "device_both", Group: "device", NS: both, Text: "reading and writing at once"},
		{Label: "throttled", Group: "call", NS: throttled, Text: "held back: too much unwritten data"},
		{Label: "page_cache", Group: "call", NS: cache, Text: "copying to and from the page cache, devices idle"},
		{Label: "metadata", Group: "call", NS: 0, Text: "names and attributes, devices idle"},
		{Label: "cpu", Group: "outside", NS: cpu, Text: "computing, devices idle"},
		{Label: "draining", Group: "after", NS: drain, Text: "after the end: writing back what was left"},
	}
	stack := profile.TimeStack{TotalNS: total, WallNS: p.WallNS, ThreadNS: map[string]int64{}}
	var bins []profile.Labels
	for _, l := range labels {
		l.Share = share(l.NS, total)
		stack.Slices = append(stack.Slices, l)
		b := profile.Labels{Label: l.Label, NS: make([]int64, p.Charts.Bins)}
		from, to := p.StartNS, p.StartNS+p.WallNS
		if l.Label == "draining" {
			from, to = to, p.StartNS+total
		}
		if l.NS > 0 {
			spread(from, to-from, p.Charts.BinNS, p.Charts.Bins, func(i int, ns int64) {
				b.NS[i] = int64(float64(ns) * share(l.NS, to-from))
			})
		}
		bins = append(bins, b)
	}
	return stack, bins
}

// lossyProfile is a copy with lost events, an interrupted trace and limits.
func lossyProfile() *profile.Profile {
	p := copyProfile(256<<20, 60, 120)
	p.Trace.Reason, p.ExitStatus, p.DurableNS = "interrupted", -1, profile.Unknown
	p.Copies[0].DurableNS, p.Copies[0].DurableBytesPerS = profile.Unknown, profile.Unknown
	p.Warnings = []profile.Warning{
		{Code: "lost", Text: "1,234 events (1,200 syscall, 34 request) were lost between 20.0 ms and 61.0 ms: counts, " +
			"bytes and times of that stretch are too low. Record again with a larger buffer.",
			Affects: []string{"/files", "/copies", "/devices", "/calls", "/charts", "/time_stack"}, Count: 1234},
		{Code: "interrupted", Text: "The trace has no end: recording was cut off, and what came after the last whole part " +
			"is missing.", Affects: []string{"/wall_ns", "/durable_ns"}},
	}
	p.Lost = profile.Lost{Total: 1234, Kinds: map[string]uint64{"syscall": 1200, "request": 34},
		Slices: []profile.LostSlice{
			{FromNS: 20e6, ToNS: 61e6, Kind: "syscall", Count: 1200}, {FromNS: 30e6, ToNS: 40e6, Kind: "request", Count: 34},
		}}
	p.Charts.Timeline.Marks = append(p.Charts.Timeline.Marks, profile.Marker{FromNS: 20e6, ToNS: 61e6, Kind: "lost",
		Text: "1,200 syscall events lost"})
	for _, m := range []*[]string{&p.Files[1].Marks, &p.Copies[0].Marks, &p.TimeStack.Marks, &p.Devices[1].Marks,
		&p.Processes[0].Marks} {
		*m = []string{"lost"}
	}
	return p
}

// hostileProfile carries hostile names in every place that takes a name.
func hostileProfile() *profile.Profile {
	p := copyProfile(64<<20, 40, 80)
	name := func(i int) string { return hostileNames[i%len(hostileNames)] }
	tree, read := p.Files[0], p.Files[0].Read
	p.Files, p.Copies, p.Calls = nil, nil, p.Calls[:2]
	for i, n := range hostileNames {
		f := tree
		f.Path, f.Mount, f.FSType, f.Names = n, name(i+1), name(i+2), []string{name(i + 3)}
		if strings.ToValidUTF8(n, "") != n {
			f.PathBase64 = []byte(n)
		}
		p.Files = append(p.Files, f)
		p.Copies = append(p.Copies, profile.Copy{Method: "read_write", Source: n, Destination: name(i + 1), Bytes: 1 << 20,
			WallNS: 1e6, DurableNS: 2e6, BytesPerS: 1 << 30, DurableBytesPerS: 1 << 29, Because: name(i + 2),
			Via: name(i + 3), Read: read})
		p.Processes = append(p.Processes, profile.Process{PID: uint32(100 + i), Command: n, Args: []string{n, name(i + 1)},
			Exe: n, EndNS: profile.Unknown, CPUNS: profile.Unknown})
		p.Launches = append(p.Launches, profile.Launch{PID: uint32(100 + i), Exe: n, WallNS: 1e6, CPUNS: profile.Unknown,
			State: "cold"})
		p.Scrubs = append(p.Scrubs, profile.Scrub{Path: n, WallNS: 1e6, Jumps: 3, State: "warm"})
		p.Observations = append(p.Observations, profile.Sentence{Code: "x", Text: "About " + n, Subject: "/files/0"})
		p.Warnings = append(p.Warnings, profile.Warning{Code: n, Text: "About " + n, Affects: []string{"/files"}})
		p.CopyGroups = append(p.CopyGroups, profile.CopyGroup{Method: profile.Method(n), SourceRoot: n,
			DestinationRoot: name(i + 1),
			Files:           2, Bytes: 2 << 20, WallNS: 1e6, DurableNS: profile.Unknown, BytesPerS: 1 << 30})
		p.Charts.Timeline.Marks = append(p.Charts.Timeline.Marks, profile.Marker{FromNS: int64(i) * 1e6, ToNS: int64(i) * 1e6,
			Kind: "copy", Text: n})
	}
	for i := range p.Charts.Timeline.Lanes {
		p.Charts.Timeline.Lanes[i].Name = name(i)
	}
	for i := range p.Charts.Series {
		if p.Charts.Series[i].Device != "" {
			p.Charts.Series[i].Device = name(i)
		}
	}
	p.Command = hostileNames
	p.Devices[0].Name, p.Devices[0].Model, p.Devices[1].Name, p.Devices[1].Backing = name(0), name(1), name(5), name(4)
	p.Trace.Host, p.Trace.Kernel, p.Trace.Tool, p.Trace.File, p.Trace.Dir = name(0), name(5), name(1), name(3), name(2)
	p.Trace.Limits = []profile.Limit{{Code: name(0), Text: name(5)}}
	return p
}

// emptyProfile is a trace in which nothing happened.
func emptyProfile() *profile.Profile {
	return &profile.Profile{
		Trace: profile.Trace{File: "empty.iotrace", Backend: "ebpf", Tool: "iotrace 0.1.0", OS: "linux", Kernel: "6.18.5",
			Arch: "amd64", Host: "bench01", Scope: "command", WallStart: simStart, CPUs: 2, MemoryBytes: 4 << 30,
			DurationNS: 2e6, Reason: "exit"},
		Command: []string{"true"}, WallNS: 1.2e6, DurableNS: 1.2e6, Recorder: profile.Recorder{ProbeCPUNS: profile.Unknown},
		Charts: &profile.Charts{BinNS: 1, Bins: 0},
	}
}
