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
)

// trial is one prediction beside the truth.
type trial struct {
	workload, from, to string
	wall, durable      outcome
}

type outcome struct{ recorded, predicted, scaled, truth float64 } // s

func (o outcome) String() string {
	return fmt.Sprintf("%.3f -> %.3f s, truly %.3f (%+.0f %%)", o.recorded, o.predicted, o.truth, 100*(o.predicted/o.truth-1))
}

// off is by which share a prediction is wrong.
func (o outcome) off() float64   { return math.Abs(o.predicted/o.truth - 1) }
func (o outcome) plain() float64 { return math.Abs(o.scaled/o.truth - 1) }

// judge predicts from each recording what the workload takes on each other device
// of the same file system, and compares with what it took there.
func (s *session) judge(dir string) error {
	var trials []trial
	for _, w := range workloads {
		if !chosen(s.only, w.name) {
			continue
		}
		for _, from := range places {
			for _, to := range places {
				if from.name == to.name || from.fileSystem != to.fileSystem {
					continue
				}
				list, err := try(dir, w, from, to)
				if err != nil {
					return err
				}
				trials = append(trials, list...)
			}
		}
	}
	for _, w := range workloads {
		var off, plain, durable []float64
		for _, t := range trials {
			if t.workload == w.name {
				off, plain, durable = append(off, t.wall.off()), append(plain, t.wall.plain()), append(durable, t.durable.off())
			}
		}
		if len(off) > 0 {
			fmt.Printf("| %s | %d | %s | %s | %s |\n", w.name, len(off), spread(off), spread(durable), spread(plain))
		}
	}
	return nil
}

func spread(off []float64) string {
	slices.Sort(off)
	at := func(q float64) float64 { return 100 * off[int(q*float64(len(off)-1))] }
	return fmt.Sprintf("%.0f / %.0f / %.0f %%", at(0.5), at(0.9), at(1))
}

// try predicts from the recordings on one device what those on another one show.
func try(dir string, w workload, from, to place) ([]trial, error) {
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
		c, k := change(from, to)
		c.Device = r.Devices()[slices.IndexFunc(r.Devices(), func(d string) bool { return strings.HasPrefix(d, "loop") })]
		p, was := r.Predict(c), r.Recorded()
		plain := func(recorded int64) float64 {
			return (float64(recorded) + (k-1)*min(float64(r.Waited()), float64(recorded))) / 1e9
		}
		t := trial{workload: w.name, from: from.name, to: to.name}
		t.wall = outcome{float64(was.Wall) / 1e9, float64(p.Wall) / 1e9, plain(was.Wall), median(walls)}
		t.durable = outcome{float64(was.Durable) / 1e9, float64(p.Durable) / 1e9, plain(was.Durable), median(durables)}
		list = append(list, t)
		fmt.Fprintf(os.Stderr, "%s %s -> %s: %s; durable %s\n", w.name, from.name, to.name, t.wall, t.durable)
	}
	return list, nil
}

// change is how two devices differ, and by which factor requests take longer on
// the second.
func change(from, to place) (whatif.Change, float64) {
	c := whatif.Change{}
	k := float64(to.latency) / float64(from.latency)
	if k != 1 {
		c.Latency = k
	}
	if to.link != from.link {
		c.Rate = math.Inf(1)
		if to.link > 0 {
			c.Rate = float64(to.link) / 1e9
		}
	}
	return c, k
}

func median(list []float64) float64 {
	slices.Sort(list)
	if len(list) == 0 {
		return math.NaN()
	}
	return list[len(list)/2]
}
