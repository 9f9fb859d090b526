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

// FromProfile is the side of one trace.
func FromProfile(name string, p *profile.Profile) *Side {
	s := &Side{Name: name, Kind: Trace, About: strings.Join(p.Command, " "), Runs: 1, Warnings: []string{}, Profile: p}
	if p.Trace.Reason == "interrupted" {
		s.Warnings = append(s.Warnings, "the trace has no end: what came later is not compared")
	}
	if p.Lost.Total > 0 {
		s.Warnings = append(s.Warnings, fmt.Sprintf("events were lost: %d", p.Lost.Total))
	}
	if p.Trace.Damaged > 0 {
		s.Warnings = append(s.Warnings, "parts of the trace are damaged")
	}
	if len(p.Observations) > 0 {
		s.observation = p.Observations[0].Text
	}
	t := traced{p: p, calls: &profile.Layer{}}
	if len(p.Layers) > 0 && p.Layers[0].Name == "calls" {
		t.calls = &p.Layers[0]
	}
	t.fromCalls(s)
	t.fromRequests(s)
	t.fromTimes(s)
	return s
}

// traced reads values from a profile.
type traced struct {
	p     *profile.Profile
	calls *profile.Layer
}

// missing says why what rests on events of a kind is not known; "" if it is.
func (t *traced) missing(events []string, limits ...trace.LimitCode) string {
	for _, l := range t.p.Trace.Limits {
		for _, code := range limits {
			if trace.LimitCode(l.Code) == code {
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

var callEvents = []string{"syscall", "asyncop"}

func (t *traced) fromCalls(s *Side) {
	dimensions := []struct {
		at     int
		whole  bool // needs the end of the trace
		limits []trace.LimitCode
		value  func() Value
	}{
		{callSize, false, nil, t.callSizes},
		{callDepth, false, nil, func() Value { return depths(&t.p.Pattern.CallDepth, noCalls) }},
		{readMix, false, nil, t.mix},
		{locality, false, nil, t.locality},
		{runLength, false, nil, t.runs},
		{busyShare, false, nil, t.busy},
		{thinkTime, false, nil, t.think},
		{cacheMode, false, nil, t.modes},
		{interfaceUsed, false, nil, t.interfaces},
		{syncEvery, true, nil, t.syncs},
		{metadataShare, true, nil, t.metadata},
		{throughput, true, nil, t.throughput},
		{durableThroughput, true, nil, t.durable},
		{readLatency, false, nil, func() Value { return latency("no reads", t.calls.Read) }},
		{writeLatency, false, nil, func() Value { return latency("no writes", t.calls.Write) }},
	}
	for _, d := range dimensions {
		reason := t.missing(callEvents, append(d.limits, trace.LimitNoCalls, trace.LimitNoAsync, trace.LimitNoUring)...)
		if reason == "" && d.whole {
			reason = t.cut()
		}
		if reason != "" {
			s.values[d.at] = unknown(reason)
			continue
		}
		s.values[d.at] = t.seen(d.value())
	}
}

// seen turns what did not occur into what is not known, if it may have occurred
// after the end of the trace.
func (t *traced) seen(v Value) Value {
	if reason := t.cut(); v.State == None && reason != "" {
		return unknown(v.Reason + ", but " + reason)
	}
	return v
}

// noCalls is what is left where no call moves data: a clone, a mapped file.
const noCalls = "no calls that move data"

func (t *traced) flows() []*profile.Flow { return flows(t.calls) }

func flows(l *profile.Layer) []*profile.Flow {
	var all []*profile.Flow
	for _, f := range []*profile.Flow{l.Read, l.Write} {
		if f != nil && f.Count > 0 {
			all = append(all, f)
		}
	}
	return all
}

func (t *traced) callSizes() Value {
	sizes := spread{}
	for _, f := range t.flows() {
		sizes.sizes(&f.Size)
	}
	return sizes.value(none(noCalls))
}

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

func (t *traced) mix() Value {
	read, write := bytes(t.calls.Read), bytes(t.calls.Write)
	return portions{{"read", read}, {"write", write}}.value(none(noCalls))
}

func bytes(f *profile.Flow) float64 {
	if f == nil {
		return 0
	}
	return float64(f.Bytes)
}

func (t *traced) think() Value {
	if v := t.interfaces(); v.share(byAsync) > 0.9 {
		return none("none: calls do not wait for their data")
	}
	s := spread{}
	s.times(&t.p.Pattern.Think)
	return s.value(none("no pauses between calls of a thread"))
}

func (t *traced) modes() Value {
	m := t.p.Pattern.Modes
	if m == nil {
		return unknown("the profile does not say")
	}
	return portions{
		{"buffered", float64(m.BufferedRead + m.BufferedWrite)},
		{"direct", float64(m.DirectRead + m.DirectWrite)},
		{"uncached", float64(m.UncachedRead + m.UncachedWrite)},
	}.value(none(noCalls))
}

// How data is moved.
const (
	byCalls     = "read and write calls"
	byAsync     = "asynchronous operations"
	byCopyRange = "copy_file_range"
	bySendfile  = "sendfile or splice"
	byClone     = "clone"
)

func (t *traced) interfaces() Value {
	moved := map[string]float64{}
	for i := range t.p.Calls {
		c := &t.p.Calls[i]
		switch op := operations[c.Op]; {
		case !op.MovesData():
		case c.Async:
			moved[byAsync] += float64(c.Bytes)
		case op == trace.OpCopyRange:
			moved[byCopyRange] += float64(c.Bytes)
		case op == trace.OpRead || op == trace.OpWrite:
			moved[byCalls] += float64(c.Bytes)
		default:
			moved[bySendfile] += float64(c.Bytes)
		}
	}
	for i := range t.p.Copies {
		if m := t.p.Copies[i].Method; m == "reflink" || m == "clonefile" {
			moved[byClone] += float64(t.p.Copies[i].Bytes)
		}
	}
	var p portions
	for _, how := range []string{byCalls, byAsync, byCopyRange, bySendfile, byClone} {
		p = append(p, Share{how, moved[how]})
	}
	return p.value(none("no data moved"))
}

// operations are the operations by name.
var operations = func() map[string]trace.Op {
	all := map[string]trace.Op{}
	for op := trace.Op(0); op.String() != "unknown"; op++ {
		all[op.String()] = op
	}
	return all
}()

func (t *traced) syncs() Value {
	written, syncs := bytes(t.calls.Write), int64(0)
	if written == 0 {
		return none("nothing is written")
	}
	if m := t.p.Pattern.Modes; m != nil && float64(m.SyncedWrite) > written/2 {
		s := spread{}
		s.sizes(&t.calls.Write.Size)
		return s.value(none("no sync"))
	}
	for i := range t.p.Calls {
		if operations[t.p.Calls[i].Op].Durability() {
			syncs += t.p.Calls[i].Count
		}
	}
	if syncs == 0 {
		return none("no sync")
	}
	s := spread{}
	s.add(written/float64(syncs), 1)
	return s.value(none("no sync"))
}

func (t *traced) metadata() Value {
	var metadata, rest float64
	for i := range t.p.Calls {
		switch op := operations[t.p.Calls[i].Op]; {
		case op.Metadata():
			metadata += float64(t.p.Calls[i].TimeNS)
		case op.MovesData(), op.Durability():
			rest += float64(t.p.Calls[i].TimeNS)
		}
	}
	return portions{{"metadata", metadata}, {"data and sync", rest}}.value(none("no calls"))
}

// throughput counts the bytes of a copy once.
func (t *traced) throughput() Value {
	total := bytes(t.calls.Read) + bytes(t.calls.Write)
	for i := range t.p.Copies {
		if c := &t.p.Copies[i]; c.Read != nil && c.Write != nil {
			total -= float64(min(c.Read.Bytes, c.Write.Bytes))
		}
	}
	s := spread{}
	if span := t.span(); span > 0 && total > 0 {
		s.add(total/span*1e9, 1)
	}
	return s.value(none(noCalls))
}

// durable is the throughput with the time until what was written is on the
// device.
func (t *traced) durable() Value {
	switch {
	case bytes(t.calls.Write) == 0:
		return none("nothing is written")
	case t.p.DurableNS < t.p.WallNS:
		return unknown(notDurable)
	}
	v := t.throughput()
	for i := range v.Points {
		span := t.span()
		v.Points[i].Value *= span / (span + float64(t.p.DurableNS-t.p.WallNS))
	}
	return v
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
