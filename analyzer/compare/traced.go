package compare

import (
	"fmt"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// tolerated is the share of lost events of a kind up to which what rests on
// that kind is still compared.
const tolerated = 0.01

// traced reads values from a profile.
type traced struct {
	p      *profile.Profile
	calls  *profile.Layer
	mapped *profile.Flow // what waits for mapped files brought in; nil if that is no way in which it reads
}

// missing says why what rests on events of a kind is not known; "" if it is.
func (t *traced) missing(events []string, limits ...trace.LimitCode) string {
	for _, l := range t.p.Trace.Limits {
		for _, code := range limits {
			if trace.LimitCode(l.Code) == code && t.p.Matters(l.Code) {
				return "not recorded (" + strings.TrimSuffix(l.Text, ".") + ")"
			}
		}
	}
	var lost, seen uint64
	for _, kind := range events {
		lost += t.p.Lost.Kinds[kind]
		seen += t.p.Trace.Events[kind]
	}
	if float64(lost) > tolerated*float64(lost+seen) {
		return fmt.Sprintf("%d of %d events were lost", lost, lost+seen)
	}
	return ""
}

// cut says why totals are not known.
func (t *traced) cut() string {
	switch {
	case t.p.Trace.Reason == "interrupted":
		return "the trace was interrupted"
	case t.p.Trace.Damaged > 0:
		return "parts of the trace are damaged"
	}
	return ""
}

// seen turns what did not occur into what is not known, if it may have occurred
// after the end of the trace.
func (t *traced) seen(v Value) Value {
	if reason := t.cut(); v.State == None && reason != "" {
		return unknown(v.Reason + ", but " + reason)
	}
	return v
}

const notDurable = "its data was not seen to reach the device (record with --drain)"

// noCalls is what is left where no call moves data: a clone.
const noCalls = "no calls that move data"

func (t *traced) flows() []*profile.Flow {
	all := flows(t.calls)
	if t.mapped != nil {
		all = append(all, t.mapped)
	}
	return all
}

// read is how much was read, by calls and through mappings.
func (t *traced) read() float64 { return bytes(t.calls.Read) + bytes(t.mapped) }

func flows(l *profile.Layer) []*profile.Flow {
	var all []*profile.Flow
	for _, f := range []*profile.Flow{l.Read, l.Write} {
		if f != nil && f.Count > 0 {
			all = append(all, f)
		}
	}
	return all
}

func bytes(f *profile.Flow) float64 {
	if f == nil {
		return 0
	}
	return float64(f.Bytes)
}

// span is the time from the first data call to the end of the last. Files that
// hold less than a hundredth of the bytes have no say, unless they are many:
// the libraries and logs of a program are not its workload.
func (t *traced) span() float64 {
	total := t.read() + bytes(t.calls.Write)
	var main, all stretch
	main.add(t.mapped)
	covered := bytes(t.mapped)
	for _, f := range t.flows() {
		all.add(f)
	}
	for i := range t.p.Files {
		f := &t.p.Files[i]
		if moved := bytes(f.Read) + bytes(f.Write); moved >= total/100 && moved > 0 {
			covered += moved
			main.add(f.Read)
			main.add(f.Write)
		}
	}
	if covered < total*0.9 || main.length() <= 0 {
		return all.length()
	}
	return main.length()
}

// stretch is the time that flows take together.
type stretch struct {
	from, to int64
	any      bool
}

func (s *stretch) add(f *profile.Flow) {
	if f == nil || f.Count == 0 {
		return
	}
	if !s.any || f.FirstNS < s.from {
		s.from = f.FirstNS
	}
	s.to, s.any = max(s.to, f.LastNS), true
}

func (s *stretch) length() float64 { return float64(s.to - s.from) }

// depths weighs each depth with the time spent at it.
func depths(d *profile.Depth, absent string) Value {
	s := spread{}
	for _, l := range d.Levels {
		if l.Depth > 0 {
			s.add(float64(l.Depth), float64(l.NS))
		}
	}
	if len(s) == 0 && d.MeanBusy > 0 {
		s.add(d.MeanBusy, 1)
	}
	return s.value(none(absent))
}

func latency(absent string, flows ...*profile.Flow) Value {
	s := spread{}
	for _, f := range flows {
		if f != nil {
			s.times(&f.Latency)
		}
	}
	return s.value(none(absent))
}
