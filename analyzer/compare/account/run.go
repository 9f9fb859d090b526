package account

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// Run is what an account needs of one run of a command.
type Run struct {
	total   int64
	causes  []profile.Reason
	amounts [numAmounts]int64
}

// typical is the run of median length, the shorter one of two; nil without any.
func typical(runs []Run) *Run {
	if len(runs) == 0 {
		return nil
	}
	sorted := slices.Clone(runs)
	slices.SortStableFunc(sorted, func(a, b Run) int { return cmp.Compare(a.total, b.total) })
	return &sorted[(len(sorted)-1)/2]
}

// lasted is how long a cause lasted.
func (r *Run) lasted(code string) (ns int64) {
	for i := range r.causes {
		if r.causes[i].Code == code {
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
	cpuTime
	numAmounts
)

// amounts say what each is called, and from where on it is worth telling.
var amounts = [numAmounts]struct {
	code, name, unit string
	noticeable       int64
}{
	{"calls_read", "read by calls", "bytes", 1 << 20}, {"calls_written", "written by calls", "bytes", 1 << 20},
	{"devices_read", "read from drives", "bytes", 1 << 20}, {"devices_written", "written to drives", "bytes", 1 << 20},
	{"syncs", "syncs", "", 8}, {"flushes", "flushes", "", 8}, {"requests", "requests", "", 64},
	{"calls", "calls", "", 256},
	{"opens", "opens", "", 64}, {"files", "files", "", 64}, {"processes", "processes", "", 4},
	{"cpu", "CPU time", "ns", 1e8},
}

// RunsOf is the run that a profile is of; none if that is no command.
func RunsOf(p *profile.Profile) []Run {
	if len(p.Command) == 0 || p.TimeStack.TotalNS <= 0 {
		return nil
	}
	r := Run{total: p.TimeStack.TotalNS, causes: p.Verdict.Causes}
	for i := range p.Layers {
		l := &p.Layers[i]
		switch {
		case l.Name == "calls":
			r.amounts[readByCalls], r.amounts[writtenByCalls] = bytes(l.Read), bytes(l.Write)
		case l.Level == 1:
			r.amounts[readFromDevices] += bytes(l.Read)
			r.amounts[writtenToDevices] += bytes(l.Write)
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
		switch op := trace.OpNamed(c.Op); {
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
	return []Run{r}
}

func bytes(f *profile.Flow) int64 {
	if f == nil {
		return 0
	}
	return f.Bytes
}

// amountsOf are the amounts of both sides, the greatest ratio first.
func amountsOf(s, r *Run) []Work {
	list := []Work{}
	for i, of := range amounts {
		list = append(list, Work{of.code, of.name, of.unit, s.amounts[i], r.amounts[i], of.noticeable})
	}
	slices.SortStableFunc(list, func(a, b Work) int { return cmp.Compare(b.ratio(), a.ratio()) })
	return list
}

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
	return a.ratio() >= 1.5 && max(a.Subject-a.Reference, a.Reference-a.Subject) >= a.noticeable
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
