package generator

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/storage"
	"github.com/iotrace/iotrace/internal/testenv"
)

func TestConfigurationErrors(t *testing.T) {
	dir := t.TempDir()
	read, err := baseline.Lookup("dd/read-direct")
	if err != nil {
		t.Fatal(err)
	}
	device, err := baseline.Lookup("snia")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	huge := read[0].Scaled(baseline.Scale{Size: 1 << 60})
	for want, c := range map[string]Config{
		"no pattern":       {Dirs: []string{dir}},
		"--dir":            {Patterns: read},
		"--destroy":        {Patterns: device, Dirs: []string{dir}},
		"not a directory":  {Patterns: read, Dirs: []string{file}},
		"no such file":     {Patterns: read, Dirs: []string{filepath.Join(dir, "missing")}},
		"same directory":   {Patterns: read, Dirs: []string{dir, dir + "/."}},
		"free space":       {Patterns: []baseline.Pattern{huge}, Dirs: []string{dir}},
		"not a block":      {Patterns: device, Device: file},
		"checking pattern": {Patterns: []baseline.Pattern{{Name: "x"}}, Dirs: []string{dir}},
	} {
		b, err := New(c)
		if err == nil {
			b.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error about %q, got %v", want, err)
		}
		if got := testenv.Listing(t, dir); got != "file" {
			t.Errorf("%s: left behind: %s", want, got)
		}
	}
}

// A cancelled run returns what it has, at once, and cleans up.
func TestInterruptedRun(t *testing.T) {
	dir := t.TempDir()
	p, err := baseline.Lookup("cdm/seq1m-q8t1")
	if err != nil {
		t.Fatal(err)
	}
	for i := range p {
		p[i] = p[i].Scaled(baseline.Scale{Size: 8 * mib})
		p[i].Discard, p[i].Pause = 0, 0
	}
	p[0] = p[0].Scaled(baseline.Scale{Time: time.Millisecond})
	b, err := New(Config{Patterns: p, Dirs: []string{dir}, KeepCaches: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() { // cancel within the first step of the second pattern, which lasts 5 s
		for {
			if a := b.Activity(); a.Pattern == p[1].Name && a.Run == 1 && a.Moved > 0 {
				cancel()
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	r, err := b.Run(ctx)
	if !errors.Is(err, context.Canceled) || !r.Interrupted || len(r.Patterns) != 2 {
		t.Errorf("interrupted run: %v, %d patterns", err, len(r.Patterns))
	}
	if n := r.Patterns[0].Places[0].Steps[0].Rate.N; n != p[0].Runs {
		t.Errorf("%d of %d complete runs were kept", n, p[0].Runs)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if got := testenv.Listing(t, dir); got != "" {
		t.Errorf("left behind: %s", got)
	}
}

func TestDirectoryVanishesWhileRunning(t *testing.T) {
	dir := t.TempDir()
	p, err := baseline.Lookup("dd/zero-direct")
	if err != nil {
		t.Fatal(err)
	}
	p[0] = p[0].Scaled(baseline.Scale{Size: 4 * mib, Runs: 1000})
	b, err := New(Config{Patterns: p, Dirs: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			if b.Activity().Run > 1 {
				os.RemoveAll(filepath.Join(dir, storage.WorkName))
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	r, err := b.Run(context.Background())
	if !errors.Is(err, storage.ErrVanished) || r == nil || !r.Interrupted {
		t.Errorf("removing the working directory: %v", err)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}
