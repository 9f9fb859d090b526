package gap

import (
	"testing"

	"github.com/iotrace/iotrace/stats"
)

func TestFactorialBlocks(t *testing.T) {
	runs := Factorial(3, 6, 9)
	seen := map[Run]int{}
	for i, r := range runs {
		seen[r]++
		if i > 0 && r.Block < runs[i-1].Block {
			t.Fatal("blocks are mixed")
		}
	}
	for b := range 6 {
		for m := range 8 {
			if seen[Run{b, m, false}] != 1 {
				t.Fatalf("cell %d of block %d occurs %d times", m, b, seen[Run{b, m, false}])
			}
		}
		if seen[Run{b, 0, true}] != 2 || seen[Run{b, 7, true}] != 2 {
			t.Fatal("anchors are missing in block", b)
		}
	}
}

// tiny is a recording of 512-byte writes through the cache, each synced.
var tiny = &Workload{Bytes: 1 << 20, WriteBytes: 1 << 20, CallBytes: 1 << 20, Seconds: 2, Block: 512, MeanBlock: 512,
	Depth:    1,
	Buffered: true, Fresh: true, Files: 1, Syncs: 2048, ThinkSeconds: 0.5, CallGap: 3e-6}

var direct = Setting{Write: true, Depth: 8, Block: 1 << 20}

func TestFactors(t *testing.T) {
	factors := Factors(tiny, direct)
	ids := ""
	for _, f := range factors {
		ids += f.ID
	}
	if ids != "BQCADT" { // B, then QC in one
		t.Fatal("factors", ids)
	}
	if Corner(direct, factors, 0) != direct {
		t.Error("no factor, but not the benchmark")
	}
	want := Setting{Write: true, Depth: 1, Block: 512, Buffered: true, Fresh: true, SyncEvery: 512,
		ThinkPerGB: 476837158203, CallGap: 3000}
	if got := Corner(direct, factors, 1<<len(factors)-1); got != want {
		t.Errorf("all factors: %+v, want %+v", got, want)
	}
}

// TestScreened: two factors out of five matter; they are kept, the others folded.
func TestScreened(t *testing.T) {
	factors := Factors(tiny, direct)
	var y [stats.PlackettBurmanRuns][]float64
	for row := range y {
		mask := ScreenMask(row, len(factors))
		for rep := range 2 {
			v := 1 + 0.01*float64((row*7+rep*3)%5)
			v += float64(mask&1)*10 + float64(mask>>3&1)*20 // B and D
			y[row] = append(y[row], v)
		}
	}
	kept := Screened(factors, y, MaxFactors)
	if len(kept) != 3 || kept[0].ID != "B" || kept[1].ID != "D" || kept[2].ID != "other" {
		t.Fatalf("kept %v", kept)
	}
	if got, want := Corner(direct, kept, 7), Corner(direct, factors, 1<<len(factors)-1); got != want {
		t.Errorf("folding loses levels: %+v, want %+v", got, want)
	}
}
