package copies

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// network is the routes that leave each process.
type network map[*process][]*route

func networkOf(direct []route) network {
	n := network{}
	for i := range direct {
		n[direct[i].from] = append(n[direct[i].from], &direct[i])
	}
	return n
}

// way is a route through programs, and the first part of it.
type way struct {
	route
	first *route
}

// walk follows routes from the ends of some that leave one process, through up to maxHops programs, along those that
// may be taken. It says of each step which way it ends, the shortest to a process first; from there it goes on once.
func (n network) walk(starts []*route, may func(on *route) bool, ends func(at way, on *route)) {
	seen := map[*process]bool{}
	var ways []way
	for _, r := range starts {
		seen[r.from], seen[r.to] = true, true
		ways = append(ways, way{*r, r})
	}
	for ; len(ways) > 0; ways = ways[1:] {
		at := &ways[0]
		for _, on := range n[at.to] {
			if on.to == at.from || slices.Contains(at.through, on.to) || !may(on) {
				continue
			}
			further := at.then(on)
			ends(further, on)
			if !seen[on.to] && len(further.through) < maxHops {
				ways = append(ways, further)
			}
			seen[on.to] = true
		}
	}
}

// then is the way that goes on by another route. What programs in the middle pass on may be packed, so the larger one
// of its ends says how many bytes it carried.
func (w *way) then(on *route) way {
	kind := w.kind
	if on.kind == trace.FileSocket.String() { // which says more than a pipe before or behind it
		kind = on.kind
	}
	return way{route{from: w.from, to: on.to, bytes: max(w.first.bytes, on.bytes), kind: kind,
		through: append(slices.Clone(w.through), w.to)}, w.first}
}

// relayed lists the routes that lead through programs that pass on what they get: cat, pv, dd, mbuffer. As many bytes
// come out of the last of these, by one stream, as went into the first by another one. Between two of them the amount
// may differ: ssh encrypts what sshd decrypts, and gzip packs what another one unpacks. Few bytes are equally many by
// chance, so those have to be so at each step.
func relayed(strands []route) (list []route) {
	next, alike := networkOf(strands), map[int64]int{}
	for i := range strands {
		alike[strands[i].total]++
	}
	for i := range strands {
		first, found := &strands[i], map[*process]bool{}
		if alike[first.total] < 2 {
			continue
		}
		next.walk([]*route{first}, func(on *route) bool { return first.total >= small || on.total == first.total },
			func(at way, on *route) {
				if on.total == first.total && !found[on.to] && len(list) < maxRelayed {
					found[on.to] = true
					at.bytes = min(first.bytes, on.bytes)
					list = append(list, at.route)
				}
			})
	}
	return list
}

// maxRelayed bounds the routes: of a few equal bytes each, many processes can pass them on.
const maxRelayed = 4096

// between lists the shortest ways that lead through other programs, from processes that read to those that wrote.
func (n network) between(sources []*source, sinks []*sink, of map[*world.Process]*process) (list []route) {
	to, from := map[*process]bool{}, map[*process]bool{}
	for _, s := range sinks {
		to[of[s.By]] = true
	}
	for _, s := range sources {
		a, found := of[s.By], map[*process]bool{}
		if from[a] || to[a] {
			continue
		}
		from[a] = true
		n.walk(n[a], func(*route) bool { return true }, func(at way, _ *route) {
			if to[at.to] && !found[at.to] {
				found[at.to] = true
				list = append(list, at.route)
			}
		})
	}
	return list
}
