package benchmarks

import (
	"io"
	"strconv"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/report/table"
)

// csvColumns are the columns of WriteCSV.
var csvColumns = []string{
	"pattern", "step", "place", "run", "counted", "order", "active_ns", "wall_ns", "durable_ns",
	"read_ops", "read_bytes", "write_ops", "write_bytes", "bytes_per_second", "ops_per_second",
	"read_p50_ns", "read_p99_ns", "write_p50_ns", "write_p99_ns", "nominal_depth", "achieved_depth", "device_depth",
	"cpu_ns", "engine",
}

// WriteCSV writes one line per run, discarded ones included.
func WriteCSV(w io.Writer, r *baseline.Report) error {
	rows := [][]string{csvColumns}
	for _, p := range r.Patterns {
		for _, place := range p.Places {
			for _, s := range place.Steps {
				for _, run := range s.Runs {
					rows = append(rows, csvRow(run, p.Pattern.Name, s, place.Place))
				}
			}
		}
	}
	return table.CSV(w, rows)
}

func csvRow(r baseline.RunResult, pattern string, s baseline.StepResult, place string) []string {
	row := []string{pattern, s.Step, place, strconv.Itoa(r.Run), strconv.FormatBool(r.Counted), strconv.Itoa(r.Order)}
	device := 0.0
	if r.Device != nil {
		device = r.Device.MeanDepth
	}
	for _, n := range []int64{
		r.ActiveNS, r.WallNS, r.DurableNS, r.ReadOps, r.ReadBytes, r.WriteOps, r.WriteBytes, r.Rate, r.OpsPerSecond,
		r.Latency["read"].P50, r.Latency["read"].P99, r.Latency["write"].P50, r.Latency["write"].P99, int64(s.Depth.Nominal),
	} {
		row = append(row, strconv.FormatInt(n, 10))
	}
	for _, f := range []float64{r.Achieved, device} {
		row = append(row, strconv.FormatFloat(f, 'f', 3, 64))
	}
	return append(row, strconv.FormatInt(r.CPUNS, 10), r.Engine)
}

// WriteReviewCSV writes one line per run, and one for each part of a run that has some.
func WriteReviewCSV(w io.Writer, r *baseline.Review) error {
	rows := [][]string{{"task", "label", "path", "run", "bytes", "ns", "safe_ns", "jumps", "part"}}
	for _, t := range r.Tasks {
		for k, to := range t.Results {
			for i, run := range to.Runs {
				bytes := t.Bytes
				if run.Bytes > 0 {
					bytes = run.Bytes
				}
				row := []string{t.Name, r.Volumes[k].Label, r.Volumes[k].Path, strconv.Itoa(i)}
				row = row[:len(row):len(row)]
				rows = append(rows, append(row, numbers(bytes, run.NS, run.SafeNS, int64(run.Jumps), -1)...))
				for n, part := range run.Parts {
					rows = append(rows, append(row, numbers(part.Bytes, part.NS, 0, 0, int64(n))...))
				}
			}
		}
	}
	return table.CSV(w, rows)
}

// numbers are cells; a negative one is empty.
func numbers(values ...int64) (cells []string) {
	for _, n := range values {
		if n < 0 {
			cells = append(cells, "")
			continue
		}
		cells = append(cells, strconv.FormatInt(n, 10))
	}
	return cells
}
