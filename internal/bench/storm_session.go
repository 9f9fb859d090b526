//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/docs"
	"github.com/iotrace/iotrace/stats"
	"github.com/iotrace/iotrace/trace"
)

// stormRow is a line of the account: the CPU time that a call takes with what is done
// up to there, beside that of a bare one of the same round, in ns.
type stormRow struct {
	name     string
	recorded []float64
	others   []float64 // of a process that is not recorded; empty if it is not affected
	measure  func(recorded bool) (cost, error)
}

// stormSession is one account.
type stormSession struct {
	rounds int
	pairs  int
	cpus   int // that there can be
	dir    string
	object *ebpf.CollectionSpec
	shapes [512]uint8
	bare   []float64
	rows   []stormRow
	busy   busy
	lost   map[trace.Kind]uint64
}

// busy is the same beside a process that uses one CPU all the time.
type busy struct {
	floor, iotrace []float64 // ns added per call, of time
}

func (s *stormSession) run(out string) error {
	dir, err := os.MkdirTemp("", "iotrace-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s.dir, s.lost = dir, map[trace.Kind]uint64{}
	s.shapes[unix.SYS_READ], s.shapes[unix.SYS_WRITE] = 1, 1 // SHAPE_RW of iotrace.h
	if s.object, err = compile(dir); err != nil {
		return err
	}
	if s.cpus, err = ebpf.PossibleCPU(); err != nil {
		return err
	}
	_, restore := KeepMemory()
	defer restore()
	s.plan()
	for range s.rounds {
		if err := s.round(); err != nil {
			return err
		}
	}
	if err := s.besideWork(); err != nil {
		return err
	}
	if out == "" {
		_, err := os.Stdout.WriteString(s.text())
		return err
	}
	return docs.PutMachine(out, CPU(), s.text())
}

func (s *stormSession) plan() {
	for i, name := range steps {
		s.rows = append(s.rows, stormRow{name: name, measure: func(recorded bool) (cost, error) {
			return s.underStep(i, recorded)
		}})
	}
	for i, r := range readers {
		s.rows = append(s.rows, stormRow{name: r.name, measure: func(recorded bool) (cost, error) {
			return s.underReader(i, recorded)
		}})
	}
}

// affects reports whether a process that is not recorded takes part in a row.
func affects(i int) bool { return i <= scope || i >= len(steps) }

// round measures every row once, forwards or backwards in turn.
func (s *stormSession) round() error {
	bare, err := s.bareCall()
	if err != nil {
		return err
	}
	for k := range s.rows {
		i := k
		if len(s.bare)%2 == 1 {
			i = len(s.rows) - 1 - k
		}
		r := &s.rows[i]
		c, err := r.measure(true)
		if err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		r.recorded = append(r.recorded, c.cpu-bare.cpu)
		if !affects(i) {
			continue
		}
		if c, err = r.measure(false); err != nil {
			return fmt.Errorf("%s, another process: %w", r.name, err)
		}
		r.others = append(r.others, c.cpu-bare.cpu)
	}
	s.bare = append(s.bare, bare.cpu)
	return nil
}

// bareCall is what a call takes when nobody looks: the median of three, for the whole round rests on it.
func (s *stormSession) bareCall() (cost, error) {
	var wall, cpu []float64
	for range 3 {
		w, err := newWorkload(s.pairs)
		if err != nil {
			return cost{}, err
		}
		c, err := w.bare()
		w.end()
		if err != nil {
			return cost{}, err
		}
		wall, cpu = append(wall, c.wall), append(cpu, c.cpu)
	}
	return cost{stats.Median(wall), stats.Median(cpu)}, nil
}

func (w *workload) bare() (cost, error) {
	if err := w.load(); err != nil {
		return cost{}, err
	}
	return w.perCall()
}

// besideWork measures the floor and iotrace while another program uses one CPU.
func (s *stormSession) besideWork() error {
	work := exec.Command("sh", "-c", "while :; do :; done")
	if err := work.Start(); err != nil {
		return err
	}
	defer func() { work.Process.Kill(); work.Wait() }()
	floor, iotrace := s.rows[0], s.rows[len(s.rows)-1]
	for range s.rounds {
		bare, err := s.bareCall()
		if err != nil {
			return err
		}
		least, err := floor.measure(true)
		if err != nil {
			return err
		}
		whole, err := iotrace.measure(true)
		if err != nil {
			return err
		}
		s.busy.floor = append(s.busy.floor, least.wall-bare.wall)
		s.busy.iotrace = append(s.busy.iotrace, whole.wall-bare.wall)
	}
	return nil
}
