package content

import (
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/gap"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/baseline"
)

// flowOf is so many operations of a size, and one of another.
func flowOf(n, size, other int64, depth float64, most int) *profile.Flow {
	return &profile.Flow{Count: n + 1, Bytes: n*size + other,
		Depth: profile.Depth{MeanBusy: depth, Max: most, BusyNS: 1e9},
		Size:  profile.Dist{Count: n + 1, Sum: n*size + other, ByBytes: size, Top: []profile.Value{{Value: size, Count: n}}}}
}

// TestBeside checks that block size and queue depth of a workload stand beside those of the benchmark, of calls and of
// requests, in the benchmark's directions alone.
func TestBeside(t *testing.T) {
	p := &profile.Profile{WallNS: 2e9}
	p.Layers = []profile.Layer{{Name: "calls", Read: flowOf(3, 4096, 100, 1, 1),
		Write: flowOf(3, 256<<10, 256<<10, 1.5, 2)}}
	p.Devices = []profile.Device{{Name: "sda", Write: flowOf(1, 512<<10, 512<<10, 3, 4)}}
	b := &gap.Reference{Name: "suite/write", Setting: gap.Setting{Write: true, Depth: 8, Block: 1 << 20}}
	b.Speed.Write.Value = 4e8
	b.Warnings = []string{"it was short"}
	rows := func() (list []string) {
		x := Beside(p, b)
		for i := range x.Rows() {
			var row []string
			for _, c := range x.Columns {
				row = append(row, c.Cells[i])
			}
			list = append(list, strings.Join(row, " | "))
		}
		return list
	}
	want := []string{"this workload | writes by calls | 256 | 75.0 | 1.50 | 2 | 0.524",
		"suite/write | writes by calls | 1024 | 100.0 | 8 | 8 | 400",
		"this workload | writes at sda | 512 | 50.0 | 3 | 4 | 1.05"}
	if got := rows(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if note := Beside(p, b).Note; !strings.Contains(note, "it was short") {
		t.Errorf("the note %q does not warn", note)
	}
	b.Result = &baseline.StepResult{Depth: baseline.Depth{Achieved: 7.5}, Runs: []baseline.RunResult{
		{Requests: &baseline.Requests{Device: "sda", MeanDepth: 100}}, // not counted
		{Counted: true, Requests: &baseline.Requests{Device: "sda", Writes: 8, WriteBytes: 8 << 20, BusyNS: 1e7, MeanDepth: 6,
			Sizes: []baseline.SizeCount{{Bytes: 1 << 20, Count: 8}}}}}}
	want[1] = "suite/write | writes by calls | 1024 | 100.0 | 7.50 | 8 | 400"
	want = append(want, "suite/write | writes at sda | 1024 | 100.0 | 6 | - | 839")
	if got := rows(); !slices.Equal(got, want) {
		t.Errorf("recorded: %q, want %q", got, want)
	}
	b.Setting = gap.Setting{Read: true, Write: true, Depth: 1, Block: 1 << 20, InKernel: true}
	if got := rows(); len(got) != 5 || !strings.HasPrefix(got[1], "suite/write | reads by calls | - | - | 7.50 | 1 |") {
		t.Errorf("a copy within the kernel: %q", got)
	}
}
