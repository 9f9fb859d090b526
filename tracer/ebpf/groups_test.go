//go:build linux

package ebpf

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// Two groups do the same at once, in programs that begin there and have been there before. In a recording of all each
// of their processes is told with its group, and so the bytes of a group are exact.
func TestGroupOfEachProcess(t *testing.T) {
	needBPF(t)
	for version, root := range groupRoots(t) {
		t.Run(version, func(t *testing.T) {
			if version == "version 1" { // of several groups that of the hierarchy for disks counts
				root = filepath.Join(filepath.Dir(root), "blkio")
			}
			name := "iotrace-groups-" + strconv.Itoa(os.Getpid())
			one, two := makeGroup(t, root, name), makeGroup(t, root, name+"-two")
			dir := workDir(t)
			file := func(name string) string { return filepath.Join(dir, name) }
			create := func(path string) {
				if err := os.WriteFile(path, nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			line := waits(file("go")) + writes(file("one"), 31) + "> " + file("done") + "; " + waits(file("end"))
			before := start(t, "/bin/sh", "-c", enters(one)+"> "+file("in")+"; "+line)
			await(t, "it to be in its group", func() bool { return size(file("in")) == 0 })
			var began atomic.Int32
			s := beginTo(t, Options{}, tracer.Scope{All: true}, func(s trace.Sink) trace.Sink { return programs{s, &began} })
			// A process that moves itself is told with the group in which it began its program.
			later := start(t, "/bin/sh", "-c", enters(two)+`exec "$0" "$@"`, "/bin/sh", "-c",
				writes(file("two"), 31)+"> "+file("done2")+"; "+waits(file("end")))
			create(file("go"))
			await(t, "both to be done", func() bool { return size(file("done")) == 0 && size(file("done2")) == 0 })
			// The system has been asked then, while their parents were there.
			await(t, "what they executed to be known", func() bool { return began.Load() >= 2 })
			create(file("end"))
			if err := errors.Join(before.Wait(), later.Wait()); err != nil {
				t.Fatal(err)
			}
			r := s.end()
			groups := map[uint32]string{}
			for _, p := range r.Processes {
				if p.Cgroup != "" {
					groups[p.PID] = p.Cgroup
				}
			}
			bytes := map[string]int64{}
			for _, c := range r.Syscalls {
				if path := r.path(c.File); c.Op == trace.OpWrite && (path == file("one") || path == file("two")) {
					bytes[groups[c.PID]] += max(c.Result, 0)
				}
			}
			if len(bytes) != 2 || bytes[one.Path] != 31<<16 || bytes[two.Path] != 31<<16 {
				t.Errorf("%v, want %d each of %s and %s", bytes, 31<<16, one.Path, two.Path)
			}
		})
	}
}

// programs counts the dd that have begun.
type programs struct {
	trace.Sink
	began *atomic.Int32
}

func (p programs) Process(e *trace.Process) error {
	if e.Action == trace.ProcessExec && e.Command == "dd" {
		p.began.Add(1)
	}
	return p.Sink.Process(e)
}
