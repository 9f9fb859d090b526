package compare

import "github.com/iotrace/iotrace/baseline"

// FromBench are the sides of a bench result: one for each pattern in each
// place. What a pattern declares is taken as declared; depth, mix, throughput,
// latency and, of a recorded bench, requests are what the counted runs
// measured.
func FromBench(name string, r *baseline.Report) []*Side {
	var all []*Side
	for i := range r.Patterns {
		p := &r.Patterns[i]
		for k := range p.Places {
			s := FromPattern(&p.Pattern)
			s.Kind, s.Name = Bench, name+"#"+p.Pattern.Name
			if len(p.Places) > 1 {
				s.Name += "@" + p.Places[k].Place
			}
			if r.Interrupted {
				s.Warnings = append(s.Warnings, "the bench run was interrupted")
			}
			measured(s, &p.Places[k], &p.Pattern)
			all = append(all, s)
		}
	}
	return all
}

// measured replaces values of s by what the runs of one place say.
func measured(s *Side, place *baseline.PlaceResult, p *baseline.Pattern) {
	var runs [][]baseline.RunResult // of each step: the counted ones
	for i := range place.Steps {
		step := &place.Steps[i]
		if step.Skipped != "" {
			s.Warnings = append(s.Warnings, "step "+step.Step+" was skipped: "+step.Skipped)
			continue
		}
		var counted []baseline.RunResult
		for _, r := range step.Runs {
			if r.Counted && r.ActiveNS > 0 {
				counted = append(counted, r)
			}
		}
		runs = append(runs, counted)
	}
	if s.Runs = rounds(runs); s.Runs == 0 {
		for _, i := range []int{callDepth, throughput, durableThroughput, readLatency, writeLatency} {
			s.values[i] = unknown("no run was counted")
		}
		return
	}
	each := func(i int, of func(round []*baseline.RunResult) Value) {
		values := make([]Value, s.Runs)
		for n := range values {
			round := make([]*baseline.RunResult, len(runs))
			for k := range runs {
				round[k] = &runs[k][n]
			}
			values[n] = of(round)
		}
		s.values[i] = pool(values, &kinds[i])
	}
	each(throughput, rateOf)
	each(durableThroughput, durableRate)
	each(callDepth, achieved)
	if p.Steps[0].Op != baseline.Copy { // whose results count bytes once
		each(readMix, mixOf)
	}
	for _, i := range []int{gapReadWrite, gapWriteRead, gapWriteWrite} {
		each(i, func(r []*baseline.RunResult) Value { return gapOf(r, p.Steps, i) })
	}
	each(readLatency, func(r []*baseline.RunResult) Value { return quantiles(r, "read", "no reads") })
	each(writeLatency, func(r []*baseline.RunResult) Value { return quantiles(r, "write", "no writes") })
	for _, i := range []int{requestSize, requestDepth, requestLatency} {
		each(i, func(r []*baseline.RunResult) Value { return requestsOf(r, i) })
	}
}

// rounds is how many times all steps were run.
func rounds(runs [][]baseline.RunResult) int {
	n := 0
	for i, r := range runs {
		if i == 0 || len(r) < n {
			n = len(r)
		}
	}
	return n
}

func rateOf(round []*baseline.RunResult) Value {
	total, active := 0.0, 0.0
	for _, r := range round {
		total += float64(r.Rate) * float64(r.ActiveNS)
		active += float64(r.ActiveNS)
	}
	s := spread{}
	s.add(total/active, 1)
	return s.value(unknown("no run was counted"))
}

// gapOf is the mean pause between two operations of a benchmark, of which it does nothing but count: where one is under
// way at a time, what is left of the time between the calls. A loop of reads and writes takes one time for the end of a
// read and the begin of the write.
func gapOf(round []*baseline.RunResult, steps []baseline.Step, i int) Value {
	s, overlaps := spread{}, false
	for k, r := range round {
		if k >= len(steps) {
			break
		}
		step := &steps[k]
		copies := step.Op == baseline.Copy && step.Method == baseline.CopyLoop
		switch {
		case step.Nominal() > 1:
			overlaps = true
			continue
		case i == gapWriteWrite && (step.Op != baseline.Write || step.Files != nil), i != gapWriteWrite && !copies:
			continue
		}
		busy := 0.0
		for _, l := range r.Latency {
			busy += float64(l.Mean) * float64(l.N)
		}
		gap := max(float64(r.ActiveNS-r.SyncNS)-busy, 0) / float64(max(r.WriteOps, 1))
		if i == gapReadWrite {
			gap = 0
		}
		s.add(max(gap, 1), float64(r.WriteOps))
	}
	if overlaps && len(s) == 0 {
		return none(overlapping)
	}
	return s.value(none("no such pause"))
}

// durableRate is the rate with the time until the data was on the device.
func durableRate(round []*baseline.RunResult) Value {
	total, durable := 0.0, 0.0
	for _, r := range round {
		switch {
		case r.WriteBytes == 0:
		case r.DurableNS == 0:
			return unknown("not measured")
		default:
			total += float64(r.Rate) * float64(r.ActiveNS)
			durable += float64(r.DurableNS)
		}
	}
	if durable == 0 {
		return none("nothing is written")
	}
	s := spread{}
	s.add(total/durable, 1)
	return s.value(none("nothing is written"))
}

// achieved weighs the mean depth of each step with its time.
func achieved(round []*baseline.RunResult) Value {
	s := spread{}
	for _, r := range round {
		if r.Achieved > 0 {
			s.add(r.Achieved, float64(r.ActiveNS))
		}
	}
	return s.value(none(noCalls))
}

func mixOf(round []*baseline.RunResult) Value {
	read, write := 0.0, 0.0
	for _, r := range round {
		read += float64(r.ReadBytes)
		write += float64(r.WriteBytes)
	}
	return portions{{"read", read}, {"write", write}}.value(none(noCalls))
}

func quantiles(round []*baseline.RunResult, direction, absent string) Value {
	s := spread{}
	for _, r := range round {
		s.quantiles(r.Latency[direction])
	}
	return s.value(none(absent))
}

// requestsOf reads what a recorded run saw at its device. Of the sizes the
// eight commonest are known.
func requestsOf(round []*baseline.RunResult, i int) Value {
	s := spread{}
	for _, r := range round {
		q := r.Requests
		if q == nil {
			return unknown("the bench run was not recorded")
		}
		switch i {
		case requestSize:
			for _, size := range q.Sizes {
				s.add(float64(size.Bytes), float64(size.Bytes)*float64(size.Count))
			}
		case requestDepth:
			switch {
			case q.BusyNS > 0:
				s.add(q.MeanDepth*float64(r.ActiveNS)/float64(q.BusyNS), float64(q.BusyNS))
			case q.MeanDepth > 0 && q.MeanDepth < 1: // kept by an older version
				return unknown("the device was idle part of the time, and only the mean over all of it was kept")
			default:
				s.add(q.MeanDepth, float64(r.ActiveNS))
			}
		case requestLatency:
			s.quantiles(q.Latency)
		}
	}
	return s.value(none(noRequests))
}
