package usage

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// beside has a workload ask for one read after another, each at a time after the last one, while others keep so many in
// flight, on a device that serves so many at a time; of one in so many the end is seen late. It says which part of the
// time its reads took was others'.
func beside(others, servers, late, reads int, pause, each int64) float64 {
	r := rand.New(rand.NewSource(1))
	free := make([]int64, servers) // when each is
	var t turns
	var list []int64 // when the next of others is asked for
	for range others {
		list = append(list, r.Int63n(each))
	}
	own := int64(0)
	for reads > 0 {
		next := 0
		for i := range list {
			if list[i] < list[next] {
				next = i
			}
		}
		ours := others == 0 || own <= list[next]
		at := own
		if !ours {
			at = list[next]
		}
		s := 0
		for i := range free {
			if free[i] < free[s] {
				s = i
			}
		}
		end := max(at, free[s]) + each*3/4 + r.Int63n(each/2)
		free[s] = end
		if late > 0 && r.Intn(late) == 0 {
			end += r.Int63n(2 * each)
		}
		t.add(&world.Request{Request: &trace.Request{Op: trace.ReqRead, Issued: at, Completed: end}, Ours: ours}, end)
		if ours {
			own, reads = end+pause, reads-1
		} else {
			list[next] = end
		}
	}
	t.upTo(math.MaxInt64)
	return float64(t.waited(&t.reads)) / float64(t.reads.all)
}

// A request waits for those of others that a device serves before it, but not for those that it serves meanwhile.
func TestTurns(t *testing.T) {
	for _, c := range []struct {
		name                  string
		others, servers, late int
		least, most           float64
	}{
		{"one at a time, behind 16", 16, 1, 0, .9, .96},
		{"one at a time, beside one other", 1, 1, 0, .3, .6},
		{"one at a time, and a busy machine", 4, 1, 3, .7, .9},
		{"as many at a time as come", 16, 20, 0, 0, .3},
		{"as many at a time as come, three", 3, 8, 0, 0, .3},
		{"alone", 0, 1, 0, 0, 0},
	} {
		if got := beside(c.others, c.servers, c.late, 200, 1000, 5000); got < c.least || got > c.most {
			t.Errorf("%s: %.2f of the time were others', want %.2f to %.2f", c.name, got, c.least, c.most)
		}
	}
}

// TestCostOfRequests: requests come in the order in which they were issued, and a device with several places ends them
// in another one. What each costs is found all the same, without the pauses of the program, and without the time of
// flushes and of the other direction.
func TestCostOfRequests(t *testing.T) {
	const each, perByte = 2_000_000, 3
	for _, places := range []int{1, 8} {
		var u turns
		r, free := rand.New(rand.NewSource(4)), make([]int64, places)
		for i := range 6000 {
			if i%997 == 0 { // the program computes until all is done, and for a while
				idle := slices.Max(free) + 300*each
				for place := range free {
					free[place] = idle
				}
			}
			size, place := (1+r.Int63n(16))<<12, slices.Index(free, slices.Min(free))
			op, at := trace.ReqWrite, free[place]
			if i%5 == 0 {
				op, size = trace.ReqFlush, 0
			}
			free[place] += (each + perByte*size) * (80 + r.Int63n(40)) / 100
			u.add(&world.Request{Request: &trace.Request{Op: op, Issued: at, Completed: free[place], Bytes: size}}, free[place])
		}
		u.upTo(math.MaxInt64)
		got := u.writes.cost.Profile()
		if want := each / float64(places); got == nil || math.Abs(float64(got.RequestNS)/want-1) > 0.15 {
			t.Errorf("%d places: %+v, want %.0f ns for a request", places, got, want)
		}
	}
}
