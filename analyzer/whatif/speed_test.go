//go:build unix

package whatif

import (
	"syscall"
	"testing"

	"github.com/iotrace/iotrace/analyzer/program"
)

// BenchmarkPredict says how many operations are simulated in a second of CPU time:
// reads of eight threads, each with its time on the CPU, its request and its wait.
// docs/whatif.md has the figure.
func BenchmarkPredict(b *testing.B) {
	const threads, each = 8, 50_000
	r := readers(threads, each)
	for _, s := range []Scenario{
		{Name: "nothing"}, {Name: "latency", Change: Change{Latency: 0.5}},
		{Name: "depth", Change: Change{Change: program.Change{Depth: 8}}},
	} {
		b.Run(s.Name, func(b *testing.B) {
			began := cpu(b)
			for b.Loop() {
				r.Predict(s.Change)
			}
			b.ReportMetric(threads*each*float64(b.N)/(cpu(b)-began), "ops/s-cpu")
		})
	}
}

// cpu is the CPU time of the process, in s.
func cpu(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
