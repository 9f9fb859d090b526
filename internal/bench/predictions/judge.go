//go:build linux

package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/whatif"
	"github.com/iotrace/iotrace/analyzer/whatif/drive"
)

// trial is one prediction beside the truth.
type trial struct {
	workload, from, to string
	wall, durable      outcome
	held               bool // the truth lay in the interval
}

type outcome struct{ recorded, predicted, scaled, truth float64 } // s

func (o outcome) String() string {
	return fmt.Sprintf("%.3f -> %.3f s, truly %.3f (%+.0f %%)",
		o.recorded, o.predicted, o.truth, 100*(o.predicted/o.truth-1))
}

// off is by which share a prediction is wrong.
func (o outcome) off() float64   { return math.Abs(o.predicted/o.truth - 1) }
func (o outcome) plain() float64 { return math.Abs(o.scaled/o.truth - 1) }

// judge predicts from each recording what the workload takes on each other device
// of the same file system, and compares with what it took there: once from how much
// longer small requests take there, once from what bench measured there.
func (s *session) judge(dir string) error {
	for _, byBench := range []bool{false, true} {
		var all []trial
		fmt.Printf("| workload | trials | time | data safe | interval held | plain scaling |\n|---|---|---|---|---|---|\n")
		for _, w := range workloads {
			if !chosen(s.only, w.name) {
				continue
			}
			trials, err := tryAll(dir, w, byBench)
			if err != nil {
				return err
			}
			row(w.name, trials)
			all = append(all, trials...)
		}
		row("all", all)
		fmt.Println()
	}
	return nil
}

// tryAll tries a workload between all devices that differ as is asked for.
func tryAll(dir string, w workload, byBench bool) ([]trial, error) {
	var all []trial
	for _, from := range places {
		for _, to := range places {
			if from.name == to.name || from.fileSystem != to.fileSystem || !byBench && from.link != to.link {
				continue // a factor of the latency does not tell how links differ
			}
			list, err := try(dir, w, from, to, byBench)
			if err != nil {
				return nil, err
			}
			all = append(all, list...)
		}
	}
	return all, nil
}

// row prints how far off some trials were.
func row(name string, trials []trial) {
	if len(trials) == 0 {
		return
	}
	var off, plain, durable []float64
	held := 0
	for _, t := range trials {
		off, plain, durable = append(off, t.wall.off()), append(plain, t.wall.plain()), append(durable, t.durable.off())
		if t.held {
			held++
		}
	}
	fmt.Printf("| %s | %d | %s | %s | %d | %s |\n", name, len(off), spread(off), spread(durable), held, spread(plain))
}

// spread is the median, the value below which nine of ten lie, and the greatest.
func spread(off []float64) string {
	slices.Sort(off)
	at := func(q float64) float64 { return 100 * off[int(q*float64(len(off)-1))] }
	return fmt.Sprintf("%.0f / %.0f / %.0f %%", at(0.5), at(0.9), at(1))
}

// try predicts from the recordings on one device what those on another one show.
func try(dir string, w workload, from, to place, byBench bool) ([]trial, error) {
	here, err := filepath.Glob(filepath.Join(dir, from.name, w.name+"-*.iotrace"))
	if err != nil {
		return nil, err
	}
	there, err := filepath.Glob(filepath.Join(dir, to.name, w.name+"-*.iotrace"))
	if err != nil || len(here) == 0 || len(there) == 0 {
		return nil, err
	}
	var walls, durables []float64
	for _, file := range there {
		r, err := whatif.Load(file)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			continue
		}
		walls, durables = append(walls, float64(r.Recorded().Wall)/1e9), append(durables, float64(r.Recorded().Durable)/1e9)
	}
	var list []trial
	for _, file := range here {
		r, err := whatif.Load(file)
		if err != nil {
			continue
		}
		c, k, err := change(dir, from, to, byBench)
		if err != nil {
			return nil, err
		}
		c.Device = r.Devices()[slices.IndexFunc(r.Devices(), func(d string) bool { return strings.HasPrefix(d, "loop") })]
		p, was, answer := r.Predict(c), r.Recorded(), r.Answer(whatif.Scenario{Change: c})
		plain := func(recorded int64) float64 {
			return (float64(recorded) + (k-1)*min(float64(r.Waited()), float64(recorded))) / 1e9
		}
		t := trial{workload: w.name, from: from.name, to: to.name}
		t.wall = outcome{float64(was.Wall) / 1e9, float64(p.Wall) / 1e9, plain(was.Wall), median(walls)}
		t.durable = outcome{float64(was.Durable) / 1e9, float64(p.Durable) / 1e9, plain(was.Durable), median(durables)}
		truth := int64(t.wall.truth * 1e9)
		t.held = truth >= answer.Wall.Low && truth <= answer.Wall.High
		list = append(list, t)
		fmt.Fprintf(os.Stderr, "%s %s -> %s: %s; durable %s\n", w.name, from.name, to.name, t.wall, t.durable)
	}
	return list, nil
}

// change is how two devices differ, and by which factor requests take longer on
// the second: as bench measured small ones on both.
func change(dir string, from, to place, byBench bool) (whatif.Change, float64, error) {
	a, err := drive.Read(filepath.Join(dir, from.name, "bench.json"))
	if err != nil {
		return whatif.Change{}, 0, err
	}
	b, err := drive.Read(filepath.Join(dir, to.name, "bench.json"))
	if err != nil {
		return whatif.Change{}, 0, err
	}
	k := b.Latency[0] / a.Latency[0]
	if byBench || to.link != from.link {
		return whatif.Change{Drive: &b}, k, nil
	}
	return whatif.Change{Latency: k}, k, nil
}

func median(list []float64) float64 {
	slices.Sort(list)
	if len(list) == 0 {
		return math.NaN()
	}
	return list[len(list)/2]
}
