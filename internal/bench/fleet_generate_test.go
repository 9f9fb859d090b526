//go:build linux

package main

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iotrace/iotrace/analyzer"
)

// A trace that was made holds what its recording does, as often as it repeats it, and is whole.
func TestGenerated(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/*.iotrace")
	if err != nil || len(paths) < 10 {
		t.Fatalf("%d recordings, %v", len(paths), err)
	}
	for n, path := range paths {
		from, err := readRecording(path)
		if err != nil {
			t.Fatal(err)
		}
		dir, h := t.TempDir(), newHost(50+n, 3)
		if err := h.write(dir, from); err != nil {
			t.Fatal(err)
		}
		was, err := analyzer.Analyze(path, analyzer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		is, err := analyzer.Analyze(filepath.Join(dir, h.name()+".iotrace"), analyzer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if is.Trace.Damaged != was.Trace.Damaged || is.Trace.Host != h.name() || is.Lost.Total != 3*was.Lost.Total {
			t.Errorf("%s: %d parts are damaged, of %s, %d events are lost", path, is.Trace.Damaged, is.Trace.Host, is.Lost.Total)
		}
		want := was.Trace.Events
		for kind := range want {
			if kind != "file" && kind != "device" {
				want[kind] *= 3
			}
		}
		if d := cmp.Diff(want, is.Trace.Events); d != "" {
			t.Errorf("%s (-recorded three times +made):\n%s", path, d)
		}
	}
}
