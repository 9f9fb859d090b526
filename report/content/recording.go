package content

import (
	"fmt"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
)

// RecorderCost tells what recording itself cost.
func RecorderCost(p *profile.Profile) string {
	r := p.Recorder
	var parts []string
	if r.ProbeCPUNS >= 0 && r.ProbeRuns > 0 {
		s := fmt.Sprintf("probes took %s of CPU time in %s runs (%s of all CPUs)", unit.Nanoseconds(r.ProbeCPUNS),
			unit.Count(int64(r.ProbeRuns)), unit.Share(r.ProbeShare))
		if r.ProbeSampled {
			s += ", scaled up from samples"
		}
		parts = append(parts, s)
	}
	if r.ReaderCPUNS > 0 {
		parts = append(parts, "the recorder took "+unit.Nanoseconds(r.ReaderCPUNS)+" of CPU time and "+
			unit.Bytes(r.MaxRSSBytes)+" of memory")
	}
	if r.BufferBytes > 0 {
		parts = append(parts, fmt.Sprintf("of its buffer of %s at most %s was in use", unit.BlockSize(r.BufferBytes),
			unit.BlockSize(r.BufferPeak)))
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

// RecordedBy names what recorded, where and when.
func RecordedBy(p *profile.Profile) string {
	tr := &p.Trace
	parts := []string{visible.Text(tr.Tool) + " (" + visible.Text(tr.Backend) + ")"}
	if tr.Host != "" {
		parts = append(parts, "on "+visible.Text(tr.Host))
	}
	if tr.Kernel != "" {
		parts = append(parts, visible.Text(tr.OS+" "+tr.Kernel+" "+tr.Arch))
	}
	if tr.CPUs > 0 {
		parts = append(parts, unit.Things(int64(tr.CPUs), "CPU"), unit.BlockSize(tr.MemoryBytes)+" memory")
	}
	if !tr.WallStart.IsZero() {
		parts = append(parts, tr.WallStart.Format("2006-01-02 15:04:05 MST"))
	}
	return strings.Join(parts, ", ")
}

// Trigger says why a flight recorder has written the trace, "" for any other.
func Trigger(p *profile.Profile) string {
	if p.Trace.Trigger == nil {
		return ""
	}
	return visible.Shorten(visible.Text("Trigger: "+wording.Trigger(p.Trace.Trigger)+"."), Longest)
}

// IOLimits are what control groups let the workload do, a line for each.
func IOLimits(p *profile.Profile) (lines []string) {
	for _, l := range p.Trace.IOLimits {
		var parts []string
		for _, limit := range wording.IOLimits() {
			if n := limit.Of(&l); n > 0 {
				parts = append(parts, limit.Verb+" "+limit.Text(n))
			}
		}
		if len(parts) == 0 {
			parts = []string{"read and write without limit"}
		}
		from := ""
		if after := l.FromNS - p.StartNS; after > 0 {
			from = " from " + unit.Nanoseconds(after) + " on"
		}
		lines = append(lines, fmt.Sprintf("Control group %s let it %s at %s%s.", visible.Text(l.Group),
			strings.Join(parts, ", "), visible.Text(l.Device), from))
	}
	return lines
}

// MemoryLimits are the limits of memory that control groups of the workload came up against, a line for each.
func MemoryLimits(p *profile.Profile) (lines []string) {
	for _, l := range p.Trace.MemoryLimits {
		lines = append(lines, fmt.Sprintf("Control group %s let it use %s of memory, and came up against that %s.",
			visible.Text(l.Group), unit.Bytes(l.Bytes), unit.Things(l.Reached, "time")))
	}
	return lines
}

// Lost says how many events are missing.
func Lost(p *profile.Profile) string {
	if p.Lost.Total == 1 {
		return "1 event was lost"
	}
	return unit.Things(int64(p.Lost.Total), "event") + " were lost"
}
