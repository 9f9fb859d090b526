package compare

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// Run is what an account needs of one run of a command.
type Run struct {
	total   int64
	causes  []profile.Reason
	amounts [numAmounts]int64
	reasons map[reason]int64 // bytes at devices
	copies  []profile.Copy
}

// reason is why devices read or wrote.
type reason struct {
	op   string // "read" or "written"
	code string // of profile.Part
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

// Work is how much work of a kind both sides did.
type Work struct {
	Code      string `json:"code"`
	Name      string `json:"name"`
	Unit      string `json:"unit"` // "bytes", "ns" or "" for a number
	Subject   int64  `json:"subject"`
	Reference int64  `json:"reference"`

	noticeable int64 // a difference from there on is worth telling
	kinds      []string
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

// amount says what one is called, from where on it is worth telling, and what kinds of causes are made of it.
type amount struct {
	code, name, unit string
	noticeable       int64
	kinds            []string
}

// of is what both sides did of it.
func (a *amount) of(s, r int64) Work {
	return Work{a.code, a.name, a.unit, s, r, a.noticeable, a.kinds}
}

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
	r.amounts[copyCount] = int64(len(p.Copies)) + p.Omitted.Copies
	r.amounts[copiedBytes] = p.Omitted.CopyBytes
	for i := range p.Copies {
		r.amounts[copiedBytes] += p.Copies[i].Bytes
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
					all[reason{op, part.Code}] += part.Bytes
				}
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
	moved := Work{Subject: s.amounts[readByCalls] + s.amounts[writtenByCalls],
		Reference: r.amounts[readByCalls] + r.amounts[writtenByCalls], Unit: "bytes", noticeable: 1 << 20}
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

// amountsOf are the amounts of both sides. Those that changed as the outcome did come first, among them those of which
// the decisive cause is made, then the greatest ratio.
func amountsOf(s, r *Run, decisive *Cause) []Work {
	list := []Work{}
	for i := range amounts {
		list = append(list, amounts[i].of(s.amounts[i], r.amounts[i]))
	}
	list = append(list, reasonAmounts(s, r)...)
	longer := s.total >= r.total
	sorting.Stably(list, func(a, b Work) int {
		return cmp.Or(cmp.Compare(b.explains(longer), a.explains(longer)),
			cmp.Compare(b.makes(decisive), a.makes(decisive)), cmp.Compare(b.ratio(), a.ratio()))
	})
	return list
}

// explains is 1 of an amount that changed in the direction of the outcome, -1 of one that changed the other way.
func (a *Work) explains(longer bool) int {
	more := cmp.Compare(a.Subject, a.Reference)
	if longer {
		return more
	}
	return -more
}

// makes is 1 of an amount of which a cause is made.
func (a *Work) makes(c *Cause) int {
	if c != nil && slices.Contains(a.kinds, c.kind) {
		return 1
	}
	return 0
}

// reasonAmounts are the bytes at devices by reason.
func reasonAmounts(s, r *Run) (list []Work) {
	all := map[reason]bool{}
	for _, run := range []*Run{s, r} {
		for k := range run.reasons {
			all[k] = true
		}
	}
	for k := range all {
		words := wording.Reason(k.code, k.op != "read")
		if words == "" {
			words = k.code
		}
		kinds := writing
		if k.op == "read" {
			kinds = reading
		}
		list = append(list, Work{"devices_" + k.op + "_" + k.code, k.op + " (" + words + ")", "bytes", s.reasons[k],
			r.reasons[k], 1 << 20, kinds})
	}
	sorting.Stably(list, func(a, b Work) int {
		return cmp.Or(cmp.Compare(b.difference(), a.difference()), cmp.Compare(a.Code, b.Code))
	})
	return list
}

func (a *Work) difference() int64 { return max(a.Subject-a.Reference, a.Reference-a.Subject) }

// ratio is how many times as much one side did as the other.
func (a *Work) ratio() float64 {
	least, most := min(a.Subject, a.Reference), max(a.Subject, a.Reference)
	if most == 0 {
		return 1
	}
	return float64(most) / float64(max(least, 1))
}

// tells reports whether the amount differs by enough to be worth telling.
func (a *Work) tells() bool {
	return a.ratio() >= 1.5 && a.difference() >= a.noticeable
}

func (a *Work) words() string {
	return fmt.Sprintf("%s %s against %s", a.Name, a.value(a.Subject), a.value(a.Reference))
}

func (a *Work) value(v int64) string {
	switch a.Unit {
	case "bytes":
		return unit.Bytes(v)
	case "ns":
		return unit.Duration(time.Duration(v))
	}
	return unit.Count(v)
}
