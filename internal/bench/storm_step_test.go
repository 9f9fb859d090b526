//go:build linux

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/cilium/ebpf"

	"github.com/iotrace/iotrace/internal/testenv"
)

// The steps are made of the headers of iotrace's probes as they are now: the kernel takes each, and each
// does more than the one before it, but for the records, which replace each other.
func TestSteps(t *testing.T) {
	testenv.NeedBPF(t)
	testenv.NeedTools(t, "clang-19")
	dir := t.TempDir()
	t.Chdir("../..")
	// The compiler reads them, of which the cache of test results does not know: without this a header that the
	// steps no longer fit would be found on a new machine only.
	for _, pattern := range []string{headers + "/*.h", source} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, f := range files {
			if _, err := os.ReadFile(f); err != nil {
				t.Fatal(err)
			}
		}
	}
	object, err := compile(dir)
	if err != nil {
		t.Fatal(err)
	}
	const records = 8 // the first step with one
	before := 0
	for i, name := range steps {
		size, err := loaded(object.Copy(), i)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if i <= records && size <= before {
			t.Errorf("%s: %d instructions, %d before it", name, size, before)
		}
		before = size
	}
}

// loaded is how many instructions of the programs the kernel keeps.
func loaded(spec *ebpf.CollectionSpec, last int) (instructions int, err error) {
	if err := spec.Variables["last"].Set(uint32(last)); err != nil {
		return 0, err
	}
	programs, err := ebpf.NewCollection(spec)
	if err != nil {
		return 0, err
	}
	defer programs.Close()
	for _, p := range programs.Programs {
		info, err := p.Info()
		if err != nil {
			return 0, err
		}
		list, err := info.Instructions()
		if err != nil {
			return 0, err
		}
		instructions += len(list)
	}
	return instructions, nil
}
