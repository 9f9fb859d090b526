//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// trial is a run over a number of kernels.
type trial struct {
	cache   string
	scratch string // holds the programs and what a machine needs
	verbose bool
	traces  string          // where traces of the pair are kept; "": nowhere
	cost    int             // rounds by which the pair measures what recording costs a client; 0: it does not
	lenient bool            // a kernel that cannot be fetched is no failure
	updated map[string]bool // suites whose index is that of today
}

func (t *trial) run(wanted []string, pair, output string) error {
	if len(wanted) == 0 && pair == "" {
		wanted = names()
	}
	var list []*kernel
	for _, name := range wanted {
		k := find(name)
		if k == nil {
			return fmt.Errorf("no kernel %q; there are %s", name, strings.Join(names(), " "))
		}
		list = append(list, k)
	}
	var err error
	if t.cache, err = filepath.Abs(t.cache); err != nil {
		return err
	}
	if err := os.MkdirAll(t.cache, 0o755); err != nil {
		return err
	}
	if t.scratch, err = os.MkdirTemp("", "iotrace-kernels-"); err != nil {
		return err
	}
	defer os.RemoveAll(t.scratch)
	arches := map[string]bool{}
	if k := find(pair); k != nil {
		arches[k.arch] = true
	}
	for _, k := range list {
		arches[k.arch] = true
	}
	if err := t.build(arches); err != nil {
		return err
	}
	t.updated = map[string]bool{}
	outcomes, err := t.all(list, output)
	failed := 0
	for i := range outcomes {
		if !outcomes[i].ok() {
			failed++
		}
	}
	if failed > 0 {
		err = errors.Join(err, fmt.Errorf("%d of %d kernels failed", failed, len(list)))
	}
	if pair != "" {
		err = errors.Join(err, t.tryPair(pair))
	}
	return err
}

// machines is how many run at once: an emulated one uses one processor, and 1.5 GB of memory.
var machines = min(runtime.NumCPU(), 4)

// all tries the kernels, and writes what is known whenever one is through. They are fetched one after the other: apt's
// state is that of one.
func (t *trial) all(list []*kernel, output string) (known []outcome, err error) {
	outcomes := make([]outcome, len(list))
	free, through := make(chan struct{}, machines), make(chan int)
	go func() {
		for i, k := range list {
			outcomes[i].kernel, outcomes[i].checks = k, checkNames
			dir, err := t.prepare(k)
			free <- struct{}{}
			go func() {
				if outcomes[i].err = err; err == nil {
					t.boot(context.Background(), &outcomes[i], dir, role{})
				}
				<-free
				through <- i
			}()
		}
	}()
	tried := map[int]bool{}
	for range list {
		i := <-through
		printOutcome(os.Stdout, &outcomes[i])
		tried[i] = !t.lenient || !errors.Is(outcomes[i].err, errUnavailable)
		known = nil
		for i := range outcomes {
			if tried[i] {
				known = append(known, outcomes[i])
			}
		}
		if output != "" && len(known) > 0 {
			err = writeTable(output, known)
		}
	}
	return known, err
}

// build makes the programs that run in the machines.
func (t *trial) build(arches map[string]bool) error {
	tool := exec.Command("go", "build", "-o", filepath.Join(t.scratch, "host", "iotrace"), "./cmd/iotrace")
	if err := run(tool); err != nil {
		return err
	}
	for arch := range arches {
		for program, pkg := range map[string]string{"iotrace": "./cmd/iotrace", "guest": "./internal/kernels"} {
			c := exec.Command("go", "build", "-trimpath", "-ldflags=-w", "-o", filepath.Join(t.scratch, arch, program), pkg)
			c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+arch)
			if err := run(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// prepare fetches a kernel, if there is an emulator for it.
func (t *trial) prepare(k *kernel) (dir string, err error) {
	if _, err := exec.LookPath(emulators[k.arch]); err != nil {
		return "", errors.Join(errUnavailable, err)
	}
	return t.fetch(k)
}
