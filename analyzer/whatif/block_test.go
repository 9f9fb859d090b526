package whatif

import (
	"math"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/program"
	"github.com/iotrace/iotrace/analyzer/whatif/drive"
	"github.com/iotrace/iotrace/trace"
)

// direct makes the recording of a thread that reads or writes in order, past the page
// cache, one block after the other.
func direct(write bool) *Recording {
	r := readers(1, reads)
	for i := range r.program.Requests {
		x := &r.program.Requests[i]
		x.Sector, x.Direct, x.CallBytes = uint64(i)*8, true, 4096
		if write {
			x.Op = trace.ReqWrite
		}
	}
	r.devices = disk(r.program.Requests)
	r.devices[0].MaxRequest = 8 * 4096
	return r
}

// On a drive with a latency and a link each call costs one latency, whatever it moves,
// up to what the device takes at once.
func TestBlock(t *testing.T) {
	other := &drive.Model{Rate: [2]float64{1, 1}, Parallel: math.MaxInt}
	for k := range other.Latency {
		other.Latency[k] = latency
	}
	for _, write := range []bool{false, true} {
		r := direct(write)
		for block, calls := range map[int64]float64{4096: reads, 4 * 4096: reads / 4, 10 * 4096: reads / 10} {
			c := Change{Change: program.Change{Block: block}, Drive: other}
			if err := foreseen(r, &c); err != nil {
				t.Fatal(err)
			}
			p, want := r.Predict(c), reads*(think+4096)+calls*latency
			if miss := math.Abs(float64(p.Wall)/want - 1); miss > 0.02 || p.Undecided > 0 {
				t.Errorf("write %t, %d bytes: %d ns, want %.0f (%d undecided)", write, block, p.Wall, want, p.Undecided)
			}
		}
	}
}

// What a recording does not tell of other blocks is refused, with the reason.
func TestUnforeseen(t *testing.T) {
	for reason, c := range map[string]Change{
		"is latency":             {Change: program.Change{Block: 1 << 20}},
		"they were larger, 4 Ki": {Change: program.Change{Block: 512}, Drive: &drive.Model{}},
	} {
		if err := foreseen(direct(false), &c); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%v, want %q", err, reason)
		}
	}
	if err := foreseen(readers(1, reads), &Change{Change: program.Change{Block: 1 << 20}}); err == nil {
		t.Error("other blocks through the page cache are foreseen")
	}
}
