package gap

import (
	"slices"
	"testing"
)

// Against a benchmark that copies, reading is no difference, and its rate explains a copy that is as fast.
func TestAgainstABenchmarkThatCopies(t *testing.T) {
	w := &Workload{Bytes: 1e9, ReadBytes: 1e9, WriteBytes: 1e9, CallBytes: 2e9, Seconds: 10, Block: 4096, Depth: 1,
		Buffered: true, Warm: true, Fresh: true, Files: 1, GapSeconds: 1}
	loop := Setting{Read: true, Write: true, Depth: 1, Block: 1 << 20, Buffered: true, Fresh: true}
	ids := func(all []Factor) (ids []string) {
		for _, f := range all {
			ids = append(ids, f.ID)
		}
		return ids
	}
	if got := ids(Factors(w, loop)); !slices.Equal(got, []string{"B", "C"}) {
		t.Errorf("against a loop: %v", got)
	}
	kernel := loop
	kernel.InKernel = true
	factors := Factors(w, kernel)
	if got := ids(factors); !slices.Equal(got, []string{"C"}) {
		t.Fatalf("against copy_file_range: %v", got)
	}
	if s := Corner(kernel, factors, 1); s.InKernel || s.Block != 4096 || !s.Warm {
		t.Errorf("%+v", s)
	}
	r := &Report{Benchmark: loop, Copy: 2e8}
	if got := r.Claimed(); got != 5 {
		t.Errorf("the benchmark takes %v s per GB", got)
	}
	b := Benchmark{Copy: Speed{}}
	b.Copy.Value = w.Rate()
	if bounds := Bounds(w, b); bounds[0].Code != "copy" || !bounds[0].Explains {
		t.Errorf("%+v", bounds)
	}
}
