package drive

import (
	"cmp"
	"math"
	"slices"
)

// places are the numbers of requests at once that are tried.
var places = []int{unlimited, 128, 64, 32, 16, 8, 4, 2, 1}

// fit finds the model under which the recorded requests take the times nearest to
// those that were recorded, when they are asked for as they were.
//
// What the recording does not show, because requests never had company, is taken
// to be no limit: a smaller rate or number of places has to fit better. For each
// pair of them the latencies follow from the requests that had least company.
func fit(own []*Request) Model {
	free := math.Inf(1)
	best, least := Model{Rate: [2]float64{free, free}, Parallel: unlimited}, free
	if len(own) == 0 {
		return best
	}
	alone := lonely(own)
	links := rates(own)
	for _, n := range places {
		if n != unlimited && n >= len(own) {
			continue // as good as no limit
		}
		for _, rate := range links {
			m := Model{Rate: rate, Parallel: n}
			m.Latency = latencies(alone, m)
			if miss := misses(m, own); miss < least*worth {
				best, least = m, miss
			}
		}
	}
	return best
}

// worth is how much smaller the misses of a model with a limit have to be.
const worth = 0.95

// rates are what the link may carry: more than any limit, or multiples of the
// highest that reads and writes reached.
func rates(own []*Request) [][2]float64 {
	var list [][2]float64
	peak := [2]float64{math.Inf(1), math.Inf(1)}
	for d := range peak {
		if tellsRate(own, d) {
			peak[d] = highest(own, d)
		}
	}
	if math.IsInf(peak[0], 1) && math.IsInf(peak[1], 1) {
		return [][2]float64{peak}
	}
	for _, f := range []float64{math.Inf(1), 5, 3, 2, 1.6, 1.3, 1.15, 1.05, 1} {
		list = append(list, [2]float64{f * peak[0], f * peak[1]})
	}
	return list
}

// tellsRate reports whether requests of a direction can tell a rate from a latency:
// their sizes differ, or most of them had company.
func tellsRate(own []*Request, direction int) bool {
	var sizes []int64
	company := 0
	for i, r := range own {
		if r.service.direction() != direction || r.Bytes == 0 {
			continue
		}
		sizes = append(sizes, r.Bytes)
		if i > 0 && own[i-1].Completed > r.Queued {
			company++
		}
	}
	if len(sizes) == 0 {
		return false
	}
	slices.Sort(sizes)
	small, large := sizes[len(sizes)/10], sizes[len(sizes)*9/10]
	return large >= 4*small || company > len(sizes)/2
}

// highest is the highest rate of some consecutive requests of a direction, in bytes
// per ns; +Inf if there are none to tell.
func highest(own []*Request, direction int) float64 {
	const window = 16
	var list []*Request
	for _, r := range own {
		if r.service.direction() == direction && r.Bytes > 0 {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b *Request) int { return cmp.Compare(a.Completed, b.Completed) })
	var most float64
	size := min(window, len(list)-1)
	for i := 0; i+size < len(list) && size > 0; i += window / 2 {
		var bytes int64
		for _, r := range list[i+1 : i+size+1] {
			bytes += r.Bytes
		}
		if took := list[i+size].Completed - list[i].Completed; took > 0 {
			most = max(most, float64(bytes)/float64(took))
		}
	}
	if most == 0 {
		return math.Inf(1)
	}
	return most
}

// lonely are the requests of each kind that had least company while they were
// under way.
func lonely(own []*Request) [services][]*Request {
	var kinds [services][]*Request
	company := make(map[*Request]int, len(own))
	for i, r := range own {
		n := 0
		for j := i - 1; j >= 0 && j >= i-64; j-- {
			if own[j].Completed > r.Queued {
				n++
			}
		}
		company[r] = n
		kinds[r.service] = append(kinds[r.service], r)
	}
	for k, list := range kinds {
		slices.SortStableFunc(list, func(a, b *Request) int { return company[a] - company[b] })
		n := 0
		for n < len(list) && (n < 8 || company[list[n]] == company[list[0]]) {
			n++
		}
		kinds[k] = list[:n]
	}
	return kinds
}

// latencies are the medians of what requests took beside the link. A kind that did
// not occur takes after its neighbour.
func latencies(alone [services][]*Request, m Model) [services]float64 {
	var l [services]float64
	var known [services]bool
	for k, list := range alone {
		if len(list) == 0 {
			continue
		}
		took := make([]float64, len(list))
		for i, r := range list {
			took[i] = max(float64(r.Completed-r.Queued)-m.transfer(r.service, r.Bytes), 0)
		}
		slices.Sort(took)
		l[k], known[k] = took[len(took)/2], true
	}
	return alike(l, known)
}

// misses is the mean of how far a model's times are off, as logarithms of ratios
// weighted by time.
func misses(m Model, own []*Request) float64 {
	q := queue{Model: m}
	var sum, weight float64
	for _, r := range own {
		took := max(float64(r.Completed-r.Queued), 1)
		model := max(q.serve(float64(r.Queued), r.service, r.Bytes, 0)-float64(r.Queued), 1)
		sum += took * math.Abs(math.Log(model/took))
		weight += took
	}
	return sum / max(weight, 1)
}
