package compare

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// calls reads from a profile what its calls were like.
type calls struct{ *traced }

var callEvents = []string{"syscall", "asyncop"}

// What numbers of operations over time rest on.
var (
	began    = []trace.LimitCode{trace.LimitNoTimes}
	took     = []trace.LimitCode{trace.LimitNoDurations}
	inFlight = []trace.LimitCode{trace.LimitNoTimes, trace.LimitNoDurations}
)

// fromCalls reads what the calls of the programs say.
func fromCalls(t *traced, s *Side) {
	c, o := calls{t}, order{t}
	dimensions := []struct {
		at     int
		whole  bool // needs the end of the trace
		limits []trace.LimitCode
		value  func() Value
	}{
		{callSize, false, nil, c.callSizes},
		{callDepth, false, inFlight, c.depth},
		{readMix, false, nil, c.mix},
		{locality, false, nil, o.locality},
		{runLength, false, nil, o.runs},
		{busyShare, false, inFlight, o.busy},
		{thinkTime, false, inFlight, c.think},
		{gapReadWrite, false, inFlight, c.gap("a read", func(g *profile.Gaps) *profile.Dist { return g.ReadWrite })},
		{gapWriteRead, false, inFlight, c.gap("a write", func(g *profile.Gaps) *profile.Dist { return g.WriteRead })},
		{gapWriteWrite, false, inFlight, c.gap("a write", func(g *profile.Gaps) *profile.Dist { return g.WriteWrite })},
		{cacheMode, false, nil, c.modes},
		{interfaceUsed, false, nil, c.interfaces},
		{syncEvery, true, nil, c.syncs},
		{metadataShare, true, took, c.metadata},
		{throughput, true, began, c.throughput},
		{durableThroughput, true, began, c.durable},
		{readLatency, false, took, func() Value { return latency("no reads", t.calls.Read, t.mapped) }},
		{writeLatency, false, took, func() Value { return latency("no writes", t.calls.Write) }},
	}
	for _, d := range dimensions {
		reason := t.missing(callEvents, append(slices.Clone(d.limits), trace.LimitNoCalls, trace.LimitNoAsync,
			trace.LimitNoUring)...)
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

// depth is of what there was most of the time: calls, or waits for mapped files.
func (c calls) depth() Value {
	d := &c.p.Pattern.CallDepth
	if c.mapped != nil && c.mapped.Depth.BusyNS > d.BusyNS {
		d = &c.mapped.Depth
	}
	return depths(d, noCalls)
}

func (c calls) callSizes() Value {
	sizes := spread{}
	for _, f := range c.flows() {
		sizes.sizes(&f.Size)
	}
	return sizes.value(none(noCalls))
}

func (c calls) mix() Value {
	read, write := c.read(), bytes(c.calls.Write)
	return portions{{"read", read}, {"write", write}}.value(none(noCalls))
}

// overlapping is why there are no pauses.
const overlapping = "none: calls do not wait for their data"

func (c calls) think() Value {
	if v := c.interfaces(); v.share(byAsync) > 0.9 {
		return none(overlapping)
	}
	s := spread{}
	s.times(&c.p.Pattern.Think)
	return s.value(none("no pauses between calls of a thread"))
}

// gap is the pause of one kind between calls of a thread.
func (c calls) gap(after string, of func(*profile.Gaps) *profile.Dist) func() Value {
	return func() Value {
		absent := none("no such pause after " + after)
		if v := c.interfaces(); v.share(byAsync) > 0.9 {
			return none(overlapping)
		}
		if c.p.Pattern.Gaps == nil {
			return absent
		}
		s := spread{}
		if d := of(c.p.Pattern.Gaps); d != nil {
			s.times(d)
		}
		return s.value(absent)
	}
}

func (c calls) modes() Value {
	m := c.p.Pattern.Modes
	if m == nil {
		return unknown("the profile does not say")
	}
	return portions{
		{"buffered", float64(m.BufferedRead+m.BufferedWrite) + bytes(c.mapped)},
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
	byMapping   = "mapped files"
)

func (c calls) interfaces() Value {
	moved := map[string]float64{byMapping: bytes(c.mapped)}
	for i := range c.p.Calls {
		c := &c.p.Calls[i]
		switch op := c.Op; {
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
	for i := range c.p.Copies {
		if c.p.Copies[i].Method.Clones() {
			moved[byClone] += float64(c.p.Copies[i].Bytes)
		}
	}
	var p portions
	for _, how := range []string{byCalls, byAsync, byCopyRange, bySendfile, byClone, byMapping} {
		p = append(p, Share{how, moved[how]})
	}
	return p.value(none("no data moved"))
}

func (c calls) syncs() Value {
	written, syncs := bytes(c.calls.Write), int64(0)
	if written == 0 {
		return none("nothing is written")
	}
	if m := c.p.Pattern.Modes; m != nil && float64(m.SyncedWrite) > written/2 {
		s := spread{}
		s.sizes(&c.calls.Write.Size)
		return s.value(none("no sync"))
	}
	for i := range c.p.Calls {
		if c.p.Calls[i].Op.Durability() {
			syncs += c.p.Calls[i].Count
		}
	}
	if syncs == 0 {
		return none("no sync")
	}
	s := spread{}
	s.add(written/float64(syncs), 1)
	return s.value(none("no sync"))
}

func (c calls) metadata() Value {
	var metadata, rest float64
	for i := range c.p.Calls {
		switch op := c.p.Calls[i].Op; {
		case op.Metadata():
			metadata += float64(c.p.Calls[i].TimeNS)
		case op.MovesData(), op.Durability():
			rest += float64(c.p.Calls[i].TimeNS)
		}
	}
	return portions{{"metadata", metadata}, {"data and sync", rest}}.value(none("no calls"))
}

// throughput counts the bytes of a copy once.
func (c calls) throughput() Value {
	total := c.read() + bytes(c.calls.Write)
	for i := range c.p.Copies {
		if c := &c.p.Copies[i]; c.Read != nil && c.Write != nil {
			total -= float64(min(c.Read.Bytes, c.Write.Bytes))
		}
	}
	s := spread{}
	if span := c.span(); span > 0 && total > 0 {
		s.add(total/span*1e9, 1)
	}
	return s.value(none(noCalls))
}

// durable is the throughput with the time until what was written is on the
// device.
func (c calls) durable() Value {
	switch {
	case bytes(c.calls.Write) == 0:
		return none("nothing is written")
	case c.p.DurableNS < c.p.WallNS:
		return unknown(notDurable)
	}
	v := c.throughput()
	for i := range v.Points {
		span := c.span()
		v.Points[i].Value *= span / (span + float64(c.p.DurableNS-c.p.WallNS))
	}
	return v
}
