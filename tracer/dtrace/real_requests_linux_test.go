package dtrace_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// place is what requests of one direction of one device cover.
type place struct {
	device trace.DeviceID
	op     trace.ReqOp
}

// span is a range of sectors.
type span struct{ from, to uint64 }

// cover joins the sectors of some requests of a log.
func cover(l *trace.Log, which func(*trace.Request) bool) map[place][]span {
	all := map[place][]span{}
	for i := range l.Requests {
		q := &l.Requests[i]
		if (q.Op == trace.ReqRead || q.Op == trace.ReqWrite) && q.Bytes > 0 && q.Flags&trace.ReqBioBased == 0 && which(q) {
			p := place{q.Device, q.Op}
			all[p] = append(all[p], span{q.Sector, q.Sector + uint64(q.Bytes)/512})
		}
	}
	for p, list := range all {
		slices.SortFunc(list, func(a, b span) int { return int(int64(a.from - b.from)) })
		joined := list[:0]
		for _, s := range list {
			if n := len(joined); n > 0 && s.from <= joined[n-1].to {
				joined[n-1].to = max(joined[n-1].to, s.to)
				continue
			}
			joined = append(joined, s)
		}
		all[p] = joined
	}
	return all
}

func total(m map[place][]span) (bytes int64) {
	for _, list := range m {
		for _, s := range list {
			bytes += int64(s.to-s.from) * 512
		}
	}
	return bytes
}

// without is what is in a and not in b.
func without(a, b map[place][]span) map[place][]span {
	rest := map[place][]span{}
	for p, list := range a {
		for _, s := range list {
			for _, o := range b[p] {
				if o.to <= s.from || o.from >= s.to {
					continue
				}
				if o.from > s.from {
					rest[p] = append(rest[p], span{s.from, o.from})
				}
				s.from = min(o.to, s.to)
			}
			if s.from < s.to {
				rest[p] = append(rest[p], s)
			}
		}
	}
	return rest
}

// compareRequests compares by ranges of sectors, however the requests were
// merged and split on their way: DTrace sees them above that, eBPF at the
// device. What the processes asked the disk for, and what was written to their
// files, DTrace has to have seen, less the requests whose end it missed and
// counts; and what it saw of the processes, eBPF has to have seen, less what it
// counts as lost (process 1 had the CPU, see KNOWN_ISSUES.md).
func compareRequests(t *testing.T, s *seen, dir string) {
	files := paths(s.e)
	in := map[uint32]bool{s.root: true}
	for _, tree := range children(s.e, s.root) {
		for pid := range tree {
			in[pid] = true
		}
	}
	want := cover(s.e, func(q *trace.Request) bool { return in[q.PID] || strings.HasPrefix(files[q.File], dir+"/") })
	everything := cover(s.e, func(*trace.Request) bool { return true })
	got := cover(s.d, func(*trace.Request) bool { return true })
	own := cover(s.d, func(q *trace.Request) bool { return in[q.PID] })
	lost, unseen := int64(s.sd.Stats().Lost[trace.KindRequest]), int64(s.se.Stats().Lost[trace.KindRequest])
	missed, invented := without(want, got), without(own, everything)
	const largest = 1280 << 10 // bytes that one lost request may have had
	if total(want) < 60<<20 || total(missed) > lost*largest || total(missed) > total(want)*3/4 {
		t.Errorf("of %d bytes of requests by eBPF, %d are missing; DTrace lost %d requests: %v", total(want), total(missed),
			lost, missed)
	}
	if total(own) < 5<<20 || total(invented) > unseen*largest || total(invented) > total(own)/4 {
		t.Errorf("of %d bytes of requests of the processes by DTrace, eBPF does not have %d, and lost %d requests: %v",
			total(own), total(invented), unseen, invented)
	}
	for i := range s.d.Requests {
		if q := &s.d.Requests[i]; q.Completed < q.Issued {
			t.Errorf("a request ends before it begins: %+v", q)
		}
	}
	t.Logf("requests: %d by DTrace, %d by eBPF; of %d bytes by eBPF, %d are missing by DTrace, which lost %d requests; "+
		"of %d bytes by DTrace %d are missing by eBPF, which lost %d", len(s.d.Requests), len(s.e.Requests), total(want),
		total(missed), lost, total(own), total(invented), unseen)
}
