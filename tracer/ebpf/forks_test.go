//go:build linux

package ebpf

import (
	"slices"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// A call that makes a process or a thread is told with its child, and whether it copied page tables.
func TestForks(t *testing.T) {
	needBPF(t)
	exe := buildProcesses(t)
	for _, test := range []struct {
		way  string
		name string // of the call; "": any
		op   trace.Op
	}{
		{"fork", "", trace.OpFork}, {"vfork", "vfork", trace.OpSpawn}, {"clone3", "clone3", trace.OpFork},
		{"thread", "", trace.OpSpawn},
	} {
		t.Run(test.way, func(t *testing.T) {
			rec := recordCommand(t, Options{}, nil, exe, test.way, workDir(t)+"/out")
			calls := slices.DeleteFunc(slices.Clone(rec.Syscalls), func(s trace.Syscall) bool {
				return s.Op != trace.OpFork && s.Op != trace.OpSpawn
			})
			if len(calls) != 1 {
				t.Fatalf("%d calls, want 1: %+v", len(calls), calls)
			}
			s := &calls[0]
			if s.Op != test.op || test.name != "" && rec.call(s) != test.name || (s.Requested > 0) != (s.Op == trace.OpFork) {
				t.Errorf("%s became %+v", rec.call(s), s)
			}
			within := func(p trace.Process) bool { return s.Start <= p.Time && p.Time <= s.End() }
			if !slices.ContainsFunc(rec.Processes, func(p trace.Process) bool {
				return p.Action == trace.ProcessFork && int64(p.TID) == s.Result && p.Parent == s.PID && within(p)
			}) {
				t.Errorf("no child of %+v in %+v", s, rec.Processes)
			}
		})
	}
}
