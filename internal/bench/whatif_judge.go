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

// whatifTrial is one prediction beside the truth.
type whatifTrial struct {
	workload, from, to string
	wall, durable      outcome
	held               bool // the truth lay in the interval
}

// basis is what a prediction knows of the other device.
type basis string

const (
	byLatency  basis = "how much longer small requests take there"
	byBench    basis = "what bench measured there"
	byRequests basis = "what the requests of the very run that is predicted tell"
)

type outcome struct{ recorded, predicted, scaled, truth float64 } // s

func (o outcome) String() string {
	return fmt.Sprintf("%.3f -> %.3f s, truly %.3f (%+.0f %%)",
		o.recorded, o.predicted, o.truth, 100*(o.predicted/o.truth-1))
}

// off is by which share a prediction is wrong.
func (o outcome) off() float64   { return math.Abs(o.predicted/o.truth - 1) }
func (o outcome) plain() float64 { return math.Abs(o.scaled/o.truth - 1) }

// judge predicts from each recording what the workload takes on each other device
// of the same file system, and compares with what it took there.
func (s *whatifSession) judge(dir string) error {
	for _, by := range []basis{byLatency, byBench, byRequests} {
		var all []whatifTrial
		fmt.Printf("By %s:\n\n", by)
		fmt.Printf("| workload | trials | time | data safe | interval held | plain scaling |\n|---|---|---|---|---|---|\n")
		for _, w := range workloads {
			if !chosen(s.only, w.name) {
				continue
			}
			trials, err := s.tryAll(dir, w, by)
			if err != nil {
				return err
			}
			whatifRow(w.name, trials)
			all = append(all, trials...)
		}
		whatifRow("all", all)
		fmt.Printf("\n%s\n\n", calibrated(all))
	}
	return nil
}

// tryAll tries a workload between all devices that differ as is asked for.
func (s *whatifSession) tryAll(dir string, w whatifWorkload, by basis) ([]whatifTrial, error) {
	var all []whatifTrial
	for _, from := range whatifPlaces {
		for _, to := range whatifPlaces {
			if from.name == to.name || from.fileSystem != to.fileSystem || by == byLatency && from.link != to.link {
				continue // a factor of the latency does not tell how links differ
			}
			if !chosen(s.places, from.name) || !chosen(s.places, to.name) {
				continue
			}
			list, err := try(dir, w, from, to, by)
			if err != nil {
				return nil, err
			}
			all = append(all, list...)
		}
	}
	return all, nil
}

// whatifRow prints how far off some trials were.
func whatifRow(name string, trials []whatifTrial) {
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
	fmt.Printf("| %s | %d | %s | %s | %d | %s |\n", name, len(off), whatifSpread(off), whatifSpread(durable),
		held, whatifSpread(plain))
}

// whatifSpread is the median, the value below which nine of ten lie, and the greatest.
func whatifSpread(off []float64) string {
	slices.Sort(off)
	at := func(q float64) float64 { return 100 * off[int(q*float64(len(off)-1))] }
	return fmt.Sprintf("%.0f / %.0f / %.0f %%", at(0.5), at(0.9), at(1))
}

// try predicts from the recordings on one device what those on another one show.
func try(dir string, w whatifWorkload, from, to place, by basis) ([]whatifTrial, error) {
	here, err := whatifLoad(dir, from, w)
	if err != nil {
		return nil, err
	}
	there, err := whatifLoad(dir, to, w)
	if err != nil || len(here) == 0 || len(there) == 0 {
		return nil, err
	}
	a, err := drive.ReadBenchmark(filepath.Join(dir, from.name, "bench.json"))
	if err != nil {
		return nil, err
	}
	b, err := drive.ReadBenchmark(filepath.Join(dir, to.name, "bench.json"))
	if err != nil {
		return nil, err
	}
	k := b.Latency[0] / a.Latency[0]
	var list []whatifTrial
	for _, r := range here {
		switch by {
		case byLatency:
			list = append(list, one(r, whatif.Change{Latency: k}, k, there))
		case byBench:
			list = append(list, one(r, whatif.Change{Drive: &b}, k, there))
		case byRequests:
			for _, other := range there {
				if m, ok := other.Model(onLoop(other)); ok {
					list = append(list, one(r, whatif.Change{Drive: &m}, k, []*whatif.Recording{other}))
				}
			}
		}
	}
	for i := range list {
		t := &list[i]
		t.workload, t.from, t.to = w.name, from.name, to.name
		fmt.Fprintf(os.Stderr, "%s %s -> %s: %s; durable %s\n", w.name, from.name, to.name, t.wall, t.durable)
	}
	return list, nil
}

// whatifLoad reads the recordings of a workload on a device, as far as they say enough.
func whatifLoad(dir string, p place, w whatifWorkload) ([]*whatif.Recording, error) {
	files, err := filepath.Glob(filepath.Join(dir, p.name, w.name+"-*.iotrace"))
	var list []*whatif.Recording
	for _, file := range files {
		r, err := whatif.Load(file)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			continue
		}
		list = append(list, r)
	}
	return list, err
}

// onLoop is the device that differs.
func onLoop(r *whatif.Recording) string {
	for _, d := range r.Devices() {
		if strings.HasPrefix(d, "loop") {
			return d
		}
	}
	return ""
}

// one compares what a change of a recording predicts with the median of other
// recordings; k is by how much longer small requests take there.
func one(r *whatif.Recording, c whatif.Change, k float64, there []*whatif.Recording) whatifTrial {
	var walls, durables []float64
	for _, other := range there {
		walls = append(walls, float64(other.Recorded().Wall)/1e9)
		durables = append(durables, float64(other.Recorded().Durable)/1e9)
	}
	c.Device = onLoop(r)
	was, answer := r.Recorded(), r.Answer(whatif.Scenario{Change: c})
	plain := func(recorded int64) float64 {
		return (float64(recorded) + (k-1)*min(float64(r.Waited()), float64(recorded))) / 1e9
	}
	var t whatifTrial
	t.wall = outcome{float64(was.Wall) / 1e9, float64(answer.Wall.NS) / 1e9, plain(was.Wall), whatifMedian(walls)}
	t.durable = outcome{
		float64(was.Durable) / 1e9, float64(answer.Durable.NS) / 1e9, plain(was.Durable), whatifMedian(durables),
	}
	truth := int64(t.wall.truth * 1e9)
	t.held = truth >= answer.Wall.Low && truth <= answer.Wall.High
	return t
}

func whatifMedian(list []float64) float64 {
	slices.Sort(list)
	if len(list) == 0 {
		return math.NaN()
	}
	return list[len(list)/2]
}
