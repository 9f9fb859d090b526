package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
)

func duration(ns int64) string     { return unit.Duration(time.Duration(ns)) }
func perSecond(bytes int64) string { return unit.Rate(float64(bytes)) }

// title names what was recorded.
func title(p *profile.Profile) string {
	if len(p.Command) > 0 {
		return commandLine(p.Command)
	}
	switch n := len(p.Processes); {
	case p.Trace.Scope == "all":
		return "all processes"
	case n == 1:
		return fmt.Sprintf("%s (pid %d)", printable(p.Processes[0].Command), p.Processes[0].PID)
	case n > 1:
		return fmt.Sprintf("%s (pid %d) and %s", printable(p.Processes[0].Command), p.Processes[0].PID, some(int64(n-1), "further process"))
	}
	if len(p.Layers) > 0 {
		return "requests of unknown processes"
	}
	return "nothing was recorded"
}

// lead is the answer: the verdict, and what was copied. A trace in which no time passed
// has no verdict.
func lead(p *profile.Profile) []string {
	var lines []string
	for _, s := range p.Verdict.Lines {
		lines = append(lines, printable(s))
	}
	if len(lines) == 0 {
		lines = append(lines, ending(p)+" "+durability(p))
	}
	if c := copied(p); c != "" {
		lines = append(lines, c)
	}
	return lines
}

func ending(p *profile.Profile) string {
	took := duration(p.WallNS)
	switch {
	case p.Trace.Reason == "interrupted":
		return "The recording was interrupted; " + took + " of it could be read."
	case len(p.Command) == 0 || p.ExitStatus == -1:
		return "Recorded for " + took + "."
	case p.ExitStatus == 0:
		return "Finished in " + took + "."
	case p.ExitStatus > 128:
		return fmt.Sprintf("Ended by signal %d after %s.", p.ExitStatus-128, took)
	}
	return fmt.Sprintf("Failed with exit status %d after %s.", p.ExitStatus, took)
}

func durability(p *profile.Profile) string {
	switch {
	case written(p) == 0 && p.Trace.Reason == "interrupted":
		return "There is no write in it."
	case written(p) == 0:
		return "It wrote no data."
	case p.DurableNS == profile.Unknown:
		return "It was not seen when its data reached the disk."
	case inMemory(p):
		return "What it wrote is in memory only (tmpfs)."
	case p.DurableNS <= p.WallNS:
		return "All its data was on the disk by then."
	}
	return fmt.Sprintf("All its data was on the disk after %s, %s later.", duration(p.DurableNS), duration(p.DurableNS-p.WallNS))
}

// inMemory reports whether all that was written went to files that never reach a
// disk.
func inMemory(p *profile.Profile) bool {
	some := false
	for i := range p.Files {
		f := &p.Files[i]
		if f.Type != "file" || f.Write == nil || f.Write.Bytes == 0 {
			continue
		}
		if f.FSType != "tmpfs" && f.FSType != "ramfs" && f.FSType != "hugetlbfs" {
			return false
		}
		some = true
	}
	return some && p.Omitted.Files == 0
}

// written is the number of bytes the workload wrote, through whatever layer
// shows most of it.
func written(p *profile.Profile) int64 {
	var n int64
	for _, l := range p.Layers {
		if l.Write != nil {
			n = max(n, l.Write.Bytes)
		}
	}
	return n
}

// moved compares what went through the calls with what the devices did.
func moved(p *profile.Profile) string {
	var parts []string
	if calls := layer(p, 0, "calls"); calls != nil {
		parts = append(parts, "the program "+directions(calls))
	}
	if f := layer(p, 0, "faults"); f != nil && f.Read != nil && f.Read.Bytes > 0 {
		parts = append(parts, "page faults (files mapped into memory) read "+unit.Bytes(f.Read.Bytes))
	}
	for i := range p.Layers {
		if top := &p.Layers[i]; top.Level == 1 {
			itself := " itself"
			if len(top.Devices) > 1 {
				itself = " themselves"
			}
			parts = append(parts, layerName(top)+itself+" ("+shorten(printable(strings.Join(top.Devices, ", ")), 60)+") "+directions(top))
		}
	}
	for i := range p.Layers {
		if l := &p.Layers[i]; l.Level > 1 && l.DirectRead+l.DirectWrite >= worthTelling {
			parts = append(parts, "of files that lie on "+layerName(l)+" beneath ("+shorten(printable(strings.Join(l.Devices, ", ")), 60)+
				"), "+unit.Bytes(l.DirectRead)+" were read and "+unit.Bytes(l.DirectWrite)+" written")
		}
	}
	if len(parts) == 0 {
		return ""
	}
	s := strings.Join(parts, "; ") + "."
	return strings.ToUpper(s[:1]) + s[1:]
}

// worthTelling is how much has to go past a layer to be told of: every program is
// read from some disk.
const worthTelling = 1 << 20

// layerName names the devices of a layer in a sentence.
func layerName(l *profile.Layer) string {
	name := map[string]string{"disk": "disk", "partition": "partition", "dm": "device mapper", "md": "RAID", "loop": "loop device"}[l.Name]
	switch {
	case name == "":
		return "the device"
	case len(l.Devices) > 1:
		return "the " + name + "s"
	}
	return "the " + name
}

func layer(p *profile.Profile, level int, name string) *profile.Layer {
	i := slices.IndexFunc(p.Layers, func(l profile.Layer) bool {
		return l.Level == level && (name == "" || l.Name == name)
	})
	if i < 0 {
		return nil
	}
	return &p.Layers[i]
}

func directions(l *profile.Layer) string {
	var r, w int64
	if l.Read != nil {
		r = l.Read.Bytes
	}
	if l.Write != nil {
		w = l.Write.Bytes
	}
	switch {
	case r == 0 && w == 0:
		return "moved no data"
	case w == 0:
		return "read " + unit.Bytes(r)
	case r == 0:
		return "wrote " + unit.Bytes(w)
	}
	return "read " + unit.Bytes(r) + " and wrote " + unit.Bytes(w)
}

// copied sums up the copies: the one there is, or the groups.
func copied(p *profile.Profile) string {
	p, guessed := findings(p)
	if text := counted(p); guessed == 0 || text == "" {
		return text + sameSize(guessed)
	} else {
		return text + " " + sameSize(guessed)
	}
}

// findings is the profile without the copies for which only sizes speak, and
// how many those are.
func findings(p *profile.Profile) (*profile.Profile, int64) {
	some := *p
	some.Copies = slices.DeleteFunc(slices.Clone(p.Copies), func(c profile.Copy) bool { return c.Certainty == "same_size" })
	return &some, int64(len(p.Copies) - len(some.Copies))
}

func sameSize(n int64) string {
	if n == 0 {
		return ""
	}
	return some(n, "written file") + " had the size of a file that was read before; their contents were not compared."
}

// counted sums up copies that are sure.
func counted(p *profile.Profile) string {
	if len(p.Copies) == 1 && p.Omitted.Copies == 0 {
		c := &p.Copies[0]
		s := "Copied 1 file " + inWords(c.Method)
		if c.SizeUnknown {
			s += "; its size is unknown"
		}
		if moves(c.Method) {
			s += ": " + unit.Bytes(c.Bytes) + " in " + duration(c.WallNS) + ", " + perSecond(c.BytesPerS)
			if c.DurableNS > c.WallNS {
				s += "; " + perSecond(c.DurableBytesPerS) + " until its data was on the disk"
			}
		}
		return s + "."
	}
	n, bytes := p.Omitted.Copies+int64(len(p.Copies)), p.Omitted.CopyBytes
	if n == 0 {
		return ""
	}
	methods, unsized := map[string]int{}, int64(0)
	for _, c := range p.Copies {
		bytes += c.Bytes
		methods[c.Method]++
		if c.SizeUnknown {
			unsized++
		}
	}
	if unsized == n {
		return fmt.Sprintf("Copied %s of unknown size %s.", some(n, "file"), ranked(methods))
	}
	s := fmt.Sprintf("Copied %s %s: %s", some(n, "file"), ranked(methods), unit.Bytes(bytes))
	if unsized > 0 {
		s += fmt.Sprintf(" and %s of unknown size", some(unsized, "file"))
	}
	if len(p.CopyGroups) == 1 && int64(p.CopyGroups[0].Files) == n {
		g := &p.CopyGroups[0]
		s += fmt.Sprintf(" in %s, %s, %s files/s", duration(g.WallNS), perSecond(g.BytesPerS), unit.Significant(g.FilesPerS, 3))
		if g.DurableNS > g.WallNS {
			s += "; " + duration(g.DurableNS) + " until their data was on the disk"
		}
	}
	return s + "."
}

// moves reports whether a copy method moves data, so that a speed means
// something.
func moves(method string) bool {
	return !slices.Contains([]string{"reflink", "clonefile", "rename", "hardlink"}, method)
}

// inWords names a copy method in a sentence.
func inWords(method string) string {
	switch method {
	case "read_write":
		return "by a loop of reads and writes"
	case "pread_pwrite":
		return "by a loop of positioned reads and writes"
	case "copy_file_range", "sendfile", "splice":
		return "inside the kernel (" + method + ")"
	case "reflink", "clonefile":
		return "by sharing its blocks (" + method + "; no data was moved)"
	case "rename", "hardlink":
		return "by " + method + " (no data was moved)"
	case "mmap":
		return "through memory (mmap)"
	}
	return "by " + printable(method)
}

// ranked lists copy methods by falling count: "copy_file_range and reflink".
func ranked(counts map[string]int) string {
	var names []string
	for name := range counts {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if d := counts[b] - counts[a]; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	for i, name := range names {
		names[i] = inWords(name)
	}
	return enumerate(names)
}

// enumerate joins words as a sentence does: "a, b and c".
func enumerate(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// recorderCost tells what recording itself cost.
func recorderCost(p *profile.Profile) string {
	r := p.Recorder
	var parts []string
	if r.ProbeCPUNS >= 0 && r.ProbeRuns > 0 {
		s := fmt.Sprintf("probes took %s of CPU time in %s runs (%s of all CPUs)", duration(r.ProbeCPUNS), unit.Count(int64(r.ProbeRuns)), percent(r.ProbeShare))
		if r.ProbeSampled {
			s += ", scaled up from samples"
		}
		parts = append(parts, s)
	}
	if r.ReaderCPUNS > 0 {
		parts = append(parts, "the recorder took "+duration(r.ReaderCPUNS)+" of CPU time and "+unit.Bytes(r.MaxRSSBytes)+" of memory")
	}
	if r.BufferBytes > 0 {
		parts = append(parts, fmt.Sprintf("of its buffer of %s at most %s was in use", unit.BlockSize(r.BufferBytes), unit.BlockSize(r.BufferPeak)))
	}
	if r.DeviceBytes > 0 {
		parts = append(parts, "it wrote "+unit.Bytes(r.DeviceBytes)+" to a recorded device (left out of the numbers)")
	}
	if len(parts) == 0 {
		return "What recording cost was not measured."
	}
	s := strings.Join(parts, "; ") + "."
	return strings.ToUpper(s[:1]) + s[1:]
}

// recordedBy names what recorded, where and when.
func recordedBy(p *profile.Profile) string {
	tr := &p.Trace
	parts := []string{printable(tr.Tool) + " (" + printable(tr.Backend) + ")"}
	if tr.Host != "" {
		parts = append(parts, "on "+printable(tr.Host))
	}
	if tr.Kernel != "" {
		parts = append(parts, printable(tr.OS+" "+tr.Kernel+" "+tr.Arch))
	}
	if tr.CPUs > 0 {
		parts = append(parts, some(int64(tr.CPUs), "CPU"), unit.BlockSize(tr.MemoryBytes)+" memory")
	}
	if !tr.WallStart.IsZero() {
		parts = append(parts, tr.WallStart.Format("2006-01-02 15:04:05 MST"))
	}
	return strings.Join(parts, ", ")
}

// evidence tells which causes of a step the trace speaks for.
func evidence(causes []profile.Cause) string {
	s := ""
	for _, c := range causes {
		for _, e := range c.For {
			s += " It would fit that " + printable(c.Text) + ": " + printable(e) + "."
		}
	}
	return s
}

// experiments are the causes of all steps, each once: what decides between them
// is the same for all.
func experiments(steps []profile.Step) []profile.Cause {
	var all []profile.Cause
	for _, s := range steps {
		for _, c := range s.Causes {
			if !slices.ContainsFunc(all, func(d profile.Cause) bool { return d.Code == c.Code }) {
				all = append(all, c)
			}
		}
	}
	return all
}
