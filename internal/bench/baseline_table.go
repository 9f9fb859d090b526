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

	"github.com/iotrace/iotrace/stats"
)

// machine names what was measured on.
func machine() string {
	var u unix.Utsname
	_ = unix.Uname(&u)
	fio, err := exec.Command("fio", "--version").Output()
	if err != nil {
		fio = []byte("no fio")
	}
	return fmt.Sprintf("%s, Linux %s, %s, %d CPUs, %s", time.Now().UTC().Format("2006-01-02"),
		unix.ByteSliceToString(u.Release[:]), CPU(), runtime.NumCPU(), strings.TrimSpace(string(fio)))
}

// tables are what the page is filled with.
type baselineTables struct{ results }

// fioTable is one comparison with fio.
type fioTable struct {
	Where  string
	cells  map[string]*cell
	bounds []bound
}

// FioTables, KDiskMarkRows, PlaceRows and Found are what the page is filled with.
func (r baselineTables) FioTables() (all []fioTable) {
	for _, t := range []fioTable{{"on a device whose every request takes " + slowLatency.String() + ", ext4", r.Slow,
		append(bounds[:len(bounds)-1:len(bounds)-1], unjudged)}, {"on a loop device over memory, ext4", r.Memory, bounds},
		{"on this machine's virtual disk, ext4", r.Disk, bounds}} {
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
		parts = append(parts, fmt.Sprintf("%s %.3f (%d of %d)", b.name, stats.Median(all),
			within, len(all)))
	}
	return strings.Join(parts, ", ")
}

func (r baselineTables) KDiskMarkRows() []string {
	var rows []string
	for _, line := range kdmLines {
		if c := r.KDiskMark["kdm/"+line.pattern]; c != nil {
			rows = append(rows, c.row(nil))
		}
	}
	return rows
}

// Slowness is the time of a request on the slow device.
func (r baselineTables) Slowness() time.Duration { return slowLatency }

// PlaceRows are the devices: median rate, median ratio, verdicts.
func (r baselineTables) PlaceRows() []string {
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
func (r baselineTables) Found() string {
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
	return fmt.Sprintf("found within one file of it in %d of %d runs; in %d of %d runs without a throttle none was found",
		near, imposed, quiet, clean)
}

func (r baselineTables) write(w io.Writer) error {
	return template.Must(template.New("page").Parse(page)).Execute(w, r)
}
