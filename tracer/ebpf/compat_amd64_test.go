//go:build linux

package ebpf

import "testing"

// A 32-bit call is not taken for the 64-bit call that has its number.
func TestCallsOf32BitPrograms(t *testing.T) {
	needBPF(t)
	exe := compile(t, "compat")
	rec := recordCommand(t, Options{}, nil, exe)
	for i := range rec.Syscalls {
		if name := rec.call(&rec.Syscalls[i]); name == "writev" {
			t.Fatalf("getpid of the 32-bit interface is recorded as %s: %+v", name, rec.Syscalls[i])
		}
	}
}

func TestOldProbesSee32BitPrograms(t *testing.T) {
	useOldProbes(t)
	TestCallsOf32BitPrograms(t)
}
