//go:build linux

package ebpf

import (
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/tracer"
)

// Loaded in halves or at once, there are the same maps, programs and variables; a program that the kernel refuses is
// named, in whichever half it is, and nothing stays open.
func TestCollect(t *testing.T) {
	needBPF(t)
	k, err := readKernel()
	if err != nil {
		t.Fatal(err)
	}
	configured := func() *ebpf.CollectionSpec {
		spec := probes(t)
		if _, err := fit(spec, k, nil); err != nil {
			t.Fatal(err)
		}
		if err := configure(spec, k, newCallTable(), tracer.Scope{All: true}, 1<<20); err != nil {
			t.Fatal(err)
		}
		return spec
	}
	want, err := ebpf.NewCollection(configured())
	if err != nil {
		t.Fatal(explain(err))
	}
	want.Close() // the names are what is compared, and the descriptors are few
	for _, c := range []struct {
		descriptors uint64
		roomy       bool
	}{{leastDescriptors, true}, {1024, true}, {1024, false}} {
		t.Run("", func(t *testing.T) {
			descriptors(t, c.descriptors)
			got, err := collect(configured(), k, c.roomy)
			if err != nil {
				t.Fatal(explain(err))
			}
			defer got.Close()
			same(t, "maps", got.Maps, want.Maps)
			same(t, "programs", got.Programs, want.Programs)
			same(t, "variables", got.Variables, want.Variables)
			if err := got.Variables["begun"].Set(uint64(1)); err != nil {
				t.Error(err)
			}
		})
	}
	for i, half := range divide(configured().Programs) {
		name := slices.Min(slices.Collect(maps.Keys(half)))
		spec := configured()
		spec.Programs[name].Instructions = spec.Programs[name].Instructions[:1] // does not end
		before := openFiles(t)
		c, err := collect(spec, k, true)
		if err == nil {
			c.Close()
			t.Fatalf("half %d: %s was not refused", i, name)
		}
		if hook := refusedHook(spec, err); hook != spec.Programs[name].AttachTo {
			t.Errorf("half %d: refused is %q, not %q: %v", i, hook, spec.Programs[name].AttachTo, err)
		}
		if after := openFiles(t); after > before {
			t.Errorf("half %d: %d files are open, %d before", i, after, before)
		}
	}
}

// Maps for what the kernel does not have take next to nothing; those that are used keep their room.
func TestShrinkUnused(t *testing.T) {
	spec, before := probes(t), probes(t)
	removeHooks(spec, smbHooks)
	shrinkUnused(spec)
	for name, want := range map[string]uint32{"smb_asks": 1,
		"targets": before.Maps["targets"].MaxEntries, "events": before.Maps["events"].MaxEntries} {
		if got := spec.Maps[name].MaxEntries; got != want {
			t.Errorf("%s has room for %d, want %d", name, got, want)
		}
	}
}

// openFiles is how many files this process has open.
func openFiles(t *testing.T) int {
	t.Helper()
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(files)
}

func same[V any](t *testing.T, what string, got, want map[string]V) {
	t.Helper()
	a, b := slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want))
	if !slices.Equal(a, b) {
		t.Errorf("%s: %q, want %q", what, a, b)
	}
}

// descriptors limits the files that this process may have open, as long as the test runs.
func descriptors(t *testing.T, limit uint64) {
	t.Helper()
	var before unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &before); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Setrlimit(unix.RLIMIT_NOFILE, &before) })
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: limit, Max: before.Max}); err != nil {
		t.Fatal(err)
	}
}

// Two goroutines decode the same types only where the kernel has no modules: those of a module are decoded with the
// kernel's, which nothing guards then.
func TestTypesBeside(t *testing.T) {
	needBPF(t)
	k, err := readKernel()
	if err != nil {
		t.Fatal(err)
	}
	all, err := os.ReadDir("/sys/kernel/btf")
	if err != nil {
		t.Fatal(err)
	}
	types, modules := k.typesBeside()
	if alone := len(all) == 1; (types == k.decoded) != alone || len(modules) != len(k.modules) {
		t.Errorf("the same types: %t; %d files of types, %d and %d modules", types == k.decoded, len(all), len(modules),
			len(k.modules))
	}
	for _, m := range modules {
		if slices.Contains(k.modules, m) {
			t.Error("types of a module are decoded by both")
		}
	}
}
