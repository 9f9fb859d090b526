//go:build linux

package main

import (
	"fmt"
	"io"
	"math"
	"os/exec"
	"runtime"
	"strings"
	"text/template"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/bench/guest"
	"github.com/iotrace/iotrace/stats"
)

func (s *session) wanted(name string) bool { return strings.HasPrefix(name, s.only) }

func blockName(n int64) string {
	if n >= 1<<20 {
		return fmt.Sprintf("%dm", n>>20)
	}
	return fmt.Sprintf("%dk", n>>10)
}

// machine names what was measured on.
func machine() string {
	var u unix.Utsname
	_ = unix.Uname(&u)
	fio, err := exec.Command("fio", "--version").Output()
	if err != nil {
		fio = []byte("no fio")
	}
	return fmt.Sprintf("%s, Linux %s, %s, %d CPUs, %s", time.Now().UTC().Format("2006-01-02"), unix.ByteSliceToString(u.Release[:]), guest.CPU(), runtime.NumCPU(),
		strings.TrimSpace(string(fio)))
}

// ratios are ours over theirs, pair by pair.
func (c *cell) ratios(value func(side) float64) []float64 {
	all := make([]float64, len(c.Ours))
	for i := range all {
		all[i] = value(c.Ours[i]) / value(c.Theirs[i])
	}
	return all
}

func (c *cell) median(value func(side) float64) float64 { return stats.Median(c.ratios(value)) }

// latency is the median ratio of a quantile; of a mix that of the direction
// that is further from 1.
func (c *cell) latency(value func(quantiles) float64) float64 {
	worst := 1.0
	for direction := range c.Ours[0].Latency {
		r := c.median(func(s side) float64 { return value(s.Latency[direction]) })
		if math.Abs(math.Log(r)) > math.Abs(math.Log(worst)) {
			worst = r
		}
	}
	return worst
}

func rate(s side) float64     { return s.Rate }
func depth(s side) float64    { return s.Depth }
func cpu(s side) float64      { return s.CPU }
func p50(q quantiles) float64 { return q.P50 }
func p99(q quantiles) float64 { return q.P99 }

// mark prints a ratio, in bold where it is out of bounds.
func mark(x, low, high float64) string {
	if x < low || x > high {
		return fmt.Sprintf("**%.3f**", x)
	}
	return fmt.Sprintf("%.3f", x)
}

// row is a line of a table.
func (c *cell) row(bounds []bound) string {
	ci := stats.RatioOfMedians(values(c.Ours, rate), values(c.Theirs, rate), stats.Resampling{})
	if c.Ours[0].Latency == nil {
		return fmt.Sprintf("| %s | %.1f | %.1f | %s | %.2f … %.2f |", c.Name, stats.Median(values(c.Theirs, rate)), stats.Median(values(c.Ours, rate)),
			mark(c.median(rate), .95, 1.05), ci.Low, ci.High)
	}
	text := fmt.Sprintf("| %s | %.0f |", c.Name, stats.Median(values(c.Theirs, rate))/1e6)
	for i, b := range bounds {
		text += " " + mark(b.value(c), b.low, b.high) + " |"
		if i == 0 {
			text += fmt.Sprintf(" %.2f … %.2f |", ci.Low, ci.High)
		}
	}
	return text
}

func values(all []side, value func(side) float64) []float64 {
	list := make([]float64, len(all))
	for i, s := range all {
		list[i] = value(s)
	}
	return list
}

// fioTable is one comparison with fio.
type fioTable struct {
	Where  string
	cells  map[string]*cell
	bounds []bound
}

// FioTables, KDiskMarkRows, PlaceRows and Found are what the page is filled with.
func (r results) FioTables() (all []fioTable) {
	for _, t := range []fioTable{{"on a device whose every request takes " + slowLatency.String() + ", ext4", r.Slow, append(bounds[:len(bounds)-1:len(bounds)-1], unjudged)}, {"on a loop device over memory, ext4", r.Memory, bounds}, {"on this machine's virtual disk, ext4", r.Disk, bounds}} {
		if len(t.cells) > 0 {
			all = append(all, t)
		}
	}
	return all
}

// Rows are the cells in the order of the jobs.
func (t fioTable) Rows() []string {
	var rows []string
	for _, job := range jobs {
		for _, block := range []string{"4k", "128k", "1m"} {
			for _, depth := range []int{1, 8, 32} {
				if c := t.cells[fmt.Sprintf("%s %s %d", job, block, depth)]; c != nil {
					rows = append(rows, c.row(t.bounds))
				}
			}
		}
	}
	return rows
}

type bound struct {
	name      string
	value     func(*cell) float64
	low, high float64
}

// unjudged is the CPU where there are too few operations to judge it.
var unjudged = bound{"CPU", func(c *cell) float64 { return c.median(cpu) }, 0, math.Inf(1)}

// bounds are what the columns of a cell should be within.
var bounds = []bound{
	{"rate", func(c *cell) float64 { return c.median(rate) }, .95, 1.05},
	{"p50", func(c *cell) float64 { return c.latency(p50) }, .95, 1.05},
	{"p99", func(c *cell) float64 { return c.latency(p99) }, .85, 1.15},
	{"depth", func(c *cell) float64 { return c.median(depth) }, .98, 1.02},
	{"CPU", func(c *cell) float64 { return c.median(cpu) }, 0, 1.25},
}

// Summary is the median over all cells, and how many are within the bounds.
func (t fioTable) Summary() string {
	var parts []string
	for _, b := range t.bounds {
		if math.IsInf(b.high, 1) {
			continue
		}
		var all []float64
		within := 0
		for _, c := range t.cells {
			v := b.value(c)
			all = append(all, v)
			if v >= b.low && v <= b.high {
				within++
			}
		}
		parts = append(parts, fmt.Sprintf("%s %.3f (%d of %d within the bounds)", b.name, stats.Median(all), within, len(all)))
	}
	return strings.Join(parts, ", ")
}

func (r results) KDiskMarkRows() []string {
	var rows []string
	for _, line := range kdmLines {
		if c := r.KDiskMark["kdm/"+line.pattern]; c != nil {
			rows = append(rows, c.row(nil))
		}
	}
	return rows
}

// Slowness is the time of a request on the slow device.
func (r results) Slowness() time.Duration { return slowLatency }

// PlaceRows are the devices: median rate, median ratio, verdicts.
func (r results) PlaceRows() []string {
	var rows []string
	for i, d := range devices {
		var rates, ratios, truth []float64
		verdicts := map[string]int{}
		for _, round := range r.Places {
			rates = append(rates, float64(round.Medians[i]))
			if i > 0 {
				c := round.Against[i-1]
				ratios = append(ratios, c.Ratio)
				verdicts[c.Verdict]++
				truth = append(truth, float64(round.Throttle)/float64(round.Medians[0]))
			}
		}
		row := fmt.Sprintf("| %s | %.0f |", d.name, stats.Median(rates)/1e6)
		switch {
		case i == 0:
			row += " | | | | |"
		case i == len(devices)-1:
			row += fmt.Sprintf(" %.3f | %.3f |", stats.Median(ratios), stats.Median(truth))
		default:
			row += fmt.Sprintf(" %.3f | |", stats.Median(ratios))
		}
		if i > 0 {
			row += fmt.Sprintf(" %d | %d | %d |", verdicts["~"], verdicts["slower"], verdicts["faster"])
		}
		rows = append(rows, row)
	}
	return rows
}

// Found sums up the sustained runs.
func (r results) Found() string {
	var imposed, near, clean, quiet int
	for _, s := range r.Sustained {
		switch {
		case s.Imposed == 0 && s.Found == 0:
			clean++
			quiet++
		case s.Imposed == 0:
			clean++
		default:
			imposed++
			if d := s.Found - s.Imposed; s.Found > 0 && d <= sustainedFile && d >= -sustainedFile {
				near++
			}
		}
	}
	return fmt.Sprintf("found within one file of it in %d of %d runs; in %d of %d runs without a throttle none was found", near, imposed, quiet, clean)
}

func (r results) write(w io.Writer) error {
	return template.Must(template.New("page").Parse(page)).Execute(w, r)
}
