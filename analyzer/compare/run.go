package compare

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

// Run is what an account needs of one run of a command.
type Run struct {
	total   int64
	moved   int64 // what throughput is made of: by calls, and by mapped files
	causes  []profile.Reason
	amounts [numAmounts]int64
	reasons map[reason]int64 // bytes at devices
	copies  []profile.Copy
}

// reason is why devices read or wrote, or did not.
type reason struct {
	op     string // "read" or "written"
	code   string // of profile.Part
	spared bool
}

// typical is the run of median length, the shorter one of two; nil without any.
func typical(runs []Run) *Run {
	if len(runs) == 0 {
		return nil
	}
	sorted := slices.Clone(runs)
	sorting.Stably(sorted, func(a, b Run) int { return cmp.Compare(a.total, b.total) })
	return &sorted[(len(sorted)-1)/2]
}

// lasted is how long causes of a kind lasted.
func (r *Run) lasted(kind string) (ns int64) {
	for i := range r.causes {
		if accountKindOf(&r.causes[i]) == kind {
			ns += r.causes[i].TimeNS
		}
	}
	return ns
}

// The amounts, in the order in which they are told of if they differ alike.
const (
	readByCalls = iota
	writtenByCalls
	readFromDevices
	writtenToDevices
	syncCount
	flushCount
	requestCount
	callCount
	openCount
	fileCount
	processCount
	copyCount
	copiedBytes
	cpuTime
	numAmounts
)

// What of the work the causes are made of, as kindOf names them.
var (
	reading = []string{"drive read", cause.Readahead, cause.MemoryPressure, cause.CacheDropped, cause.MappedReads,
		cause.ProgramStart, cause.Fragmentation, cause.PartialWrites}
	writing = []string{"drive write", cause.Sync, cause.Settling, cause.DirtyLimit, cause.CopyUp}
	syncing = []string{cause.Sync, cause.Settling}
	naming  = []string{cause.Names}
)

var amounts = [numAmounts]amount{
	{"calls_read", "read by calls", "bytes", 1 << 20, []string{cause.PageCache}},
	{"calls_written", "written by calls", "bytes", 1 << 20, []string{cause.PageCache}},
	{"devices_read", "read from drives", "bytes", 1 << 20, reading},
	{"devices_written", "written to drives", "bytes", 1 << 20, writing},
	{"syncs", "syncs", "", 8, syncing},
	{"flushes", "flushes", "", 8, syncing},
	{"requests", "requests", "", 64, []string{"drive read", "drive write"}},
	{"calls", "calls", "", 256, []string{cause.SmallCalls, cause.Names}},
	{"opens", "opens", "", 64, naming},
	{"files", "files", "", 64, naming},
	{"processes", "processes", "", 4, []string{cause.ProgramStart}},
	{"copies", "copies", "", 4, naming},
	{"copied", "copied", "bytes", 1 << 20, []string{cause.PageCache}},
	{"cpu", "CPU time", "ns", 1e8, []string{cause.OwnCPU, cause.CPUContention, cause.CPUQuota}},
}

// RunsOf is the run that a profile is of; none if that is no command.
func RunsOf(p *profile.Profile) []Run {
	if len(p.Command) == 0 || p.TimeStack.TotalNS <= 0 {
		return nil
	}
	r := Run{total: p.TimeStack.TotalNS, causes: p.Verdict.Causes, copies: p.Copies}
	if p.Verdict.UntilReturn { // of another run the rest may be told
		r.causes = append(slices.Clip(r.causes), profile.Reason{Code: cause.Settling, Name: cause.Of(cause.Settling).Short,
			TimeNS: r.total - p.TimeStack.WallNS})
	}
	for i := range p.Layers {
		l := &p.Layers[i]
		switch {
		case l.Name == "calls":
			r.amounts[readByCalls], r.amounts[writtenByCalls] = accountBytes(l.Read), accountBytes(l.Write)
		case l.Level == 1:
			r.amounts[readFromDevices] += accountBytes(l.Read)
			r.amounts[writtenToDevices] += accountBytes(l.Write)
		}
	}
	for i := range p.Devices {
		if d := &p.Devices[i]; d.Level == 1 {
			for _, f := range []*profile.Flow{d.Read, d.Write, d.Flush, d.Discard} {
				if f != nil {
					r.amounts[requestCount] += f.Count
				}
			}
			if d.Flush != nil {
				r.amounts[flushCount] += d.Flush.Count
			}
		}
	}
	for i := range p.Calls {
		c := &p.Calls[i]
		r.amounts[callCount] += c.Count
		switch op := c.Op; {
		case op.Durability():
			r.amounts[syncCount] += c.Count
		case op == trace.OpOpen:
			r.amounts[openCount] += c.Count
		}
	}
	for i := range p.Processes {
		r.amounts[cpuTime] += max(p.Processes[i].CPUNS, 0)
	}
	r.amounts[fileCount], r.amounts[processCount] = int64(len(p.Files))+p.Omitted.Files, int64(len(p.Processes))
	r.amounts[copyCount], r.amounts[copiedBytes] = p.Omitted.Copies, p.Omitted.CopyBytes
	for i := range p.Copies {
		if c := &p.Copies[i]; !c.Method.Names() {
			r.amounts[copyCount]++
			r.amounts[copiedBytes] += c.Bytes
		}
	}
	r.reasons = reasonsOf(p)
	return []Run{r}
}

// reasonsOf are the bytes of devices by reason. What a device does for one above is counted there.
func reasonsOf(p *profile.Profile) map[reason]int64 {
	all := map[reason]int64{}
	for i := range p.Amounts.Devices {
		d := &p.Amounts.Devices[i]
		for op, m := range map[string]*profile.Moved{"read": &d.Read, "written": &d.Write} {
			for _, part := range m.Reasons {
				if part.Code != profile.Data && part.Code != profile.Above && part.Code != profile.ByRecorder {
					all[reason{op, part.Code, false}] += part.Bytes
				}
			}
			for _, part := range m.Spared {
				all[reason{op, part.Code, true}] += part.Bytes
			}
		}
	}
	return all
}

// Apart says that two commands moved different amounts, so rates do not compare them; "" if they may be compared.
func Apart(subject, reference accountSide) string {
	s, r := typical(subject.Runs), typical(reference.Runs)
	if s == nil || r == nil {
		return ""
	}
	moved := Work{Subject: s.moved, Reference: r.moved, Unit: "bytes", noticeable: 1 << 20, telling: much}
	if !moved.tells() {
		return ""
	}
	return fmt.Sprintf("they moved different amounts, %s against %s: rates do not compare them",
		moved.value(moved.Subject), moved.value(moved.Reference))
}

func accountBytes(f *profile.Flow) int64 {
	if f == nil {
		return 0
	}
	return f.Bytes
}
