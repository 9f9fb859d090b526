//go:build linux

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// trial is a run over a number of kernels.
type trial struct {
	cache   string
	scratch string // holds the programs and what a machine needs
	verbose bool
	lenient bool            // a kernel that cannot be fetched is no failure
	updated map[string]bool // suites whose index is that of today
}

// result is what a check in the machine found; guest/checks.go has the same.
type result struct {
	Check  string   `json:"check"`
	OK     bool     `json:"ok"`
	Found  string   `json:"found"`
	Limits []string `json:"limits"`
}

// outcome is what came of one kernel.
type outcome struct {
	kernel  *kernel
	results []result
	err     error // the machine did not come to its end
	took    time.Duration
}

func (o *outcome) find(check string) result {
	for _, r := range o.results {
		if r.Check == check {
			return r
		}
	}
	return result{Check: check, Found: "not reached"}
}

func (o *outcome) ok() bool {
	for _, name := range checkNames {
		if !o.find(name).OK {
			return false
		}
	}
	return o.err == nil
}

// ended tells whether the machine came to the end of its checks.
func (o *outcome) ended() bool {
	if len(o.results) == 0 {
		return false
	}
	last := o.results[len(o.results)-1]
	return last.Check == checkNames[len(checkNames)-1] || !last.OK
}

var checkNames = []string{"doctor", "self-test", "copy", "storm", "overflow"}

func (t *trial) run(wanted []string, output string) error {
	if len(wanted) == 0 {
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
	for _, k := range list {
		arches[k.arch] = true
	}
	if err := t.build(arches); err != nil {
		return err
	}
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
	return err
}

// all tries one kernel after the other, and writes what is known after each.
func (t *trial) all(list []*kernel, output string) (outcomes []outcome, err error) {
	t.updated = map[string]bool{}
	for _, k := range list {
		o := t.try(k)
		printOutcome(os.Stdout, &o)
		if t.lenient && errors.Is(o.err, errUnavailable) {
			continue
		}
		if outcomes = append(outcomes, o); output != "" {
			if err := writeTable(output, outcomes); err != nil {
				return outcomes, err
			}
		}
	}
	return outcomes, nil
}

// build makes the programs that run in the machines.
func (t *trial) build(arches map[string]bool) error {
	for arch := range arches {
		for program, pkg := range map[string]string{"iotrace": "./cmd/iotrace", "guest": "./internal/kernels/guest"} {
			c := exec.Command("go", "build", "-trimpath", "-ldflags=-w", "-o", filepath.Join(t.scratch, arch, program), pkg)
			c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+arch)
			if err := run(c); err != nil {
				return err
			}
		}
	}
	return nil
}

var emulators = map[string]string{"amd64": "qemu-system-x86_64", "arm64": "qemu-system-aarch64"}

// longest is what a machine may take: emulated, on a busy host.
const longest = 40 * time.Minute

func (t *trial) try(k *kernel) (o outcome) {
	o.kernel = k
	began := time.Now()
	defer func() { o.took = time.Since(began) }()
	if _, err := exec.LookPath(emulators[k.arch]); err != nil {
		o.err = errors.Join(errUnavailable, err)
		return o
	}
	dir, err := t.fetch(k)
	if err != nil {
		o.err = err
		return o
	}
	began = time.Now()
	arguments, err := t.machine(k, dir)
	if err != nil {
		o.err = err
		return o
	}
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	c := exec.CommandContext(ctx, arguments[0], arguments[1:]...)
	c.Stderr = os.Stderr
	console, err := c.StdoutPipe()
	if err != nil {
		o.err = err
		return o
	}
	if o.err = c.Start(); o.err != nil {
		return o
	}
	last := o.follow(console, t.verbose)
	if err := c.Wait(); err != nil || !o.ended() {
		o.err = errors.Join(err, fmt.Errorf("the machine ended with: %s", strings.Join(last, "\n")))
	}
	return o
}

// mark tells results from what else is on the console; guest/checks.go has the same.
const mark = "@@iotrace "

// follow reads the console and returns its last lines.
func (o *outcome) follow(console io.Reader, verbose bool) (last []string) {
	s := bufio.NewScanner(console)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		line := s.Text()
		if verbose {
			fmt.Println(line)
		}
		if _, text, ok := strings.Cut(line, mark); ok {
			var r result
			if json.Unmarshal([]byte(text), &r) == nil {
				o.results = append(o.results, r)
				continue
			}
		}
		if last = append(last, line); len(last) > 40 {
			last = last[1:]
		}
	}
	return last
}

// kernelImage finds the kernel among the files of its packages.
func kernelImage(dir string) (string, error) {
	images, _ := filepath.Glob(dir + "/boot/vmlinuz-*")
	if len(images) == 0 { // since Linux 7.1
		images, _ = filepath.Glob(dir + "/usr/lib/modules/*/vmlinuz")
	}
	if len(images) != 1 {
		return "", fmt.Errorf("%s holds %d kernels, want one", dir, len(images))
	}
	return images[0], nil
}

// With a thread for each processor the emulator may have one run code that another
// has changed already, as a tracer has the kernel do: it crashes, or both hang.
const accelerator = "tcg,thread=single"

// machine prepares the files of a virtual machine and returns its command line.
func (t *trial) machine(k *kernel, dir string) ([]string, error) {
	image, err := kernelImage(dir)
	if err != nil {
		return nil, err
	}
	initial, disk := filepath.Join(t.scratch, "initramfs"), filepath.Join(t.scratch, "disk")
	content, err := t.initramfs(k, dir)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(os.WriteFile(initial, content, 0o600), makeDisk(disk)); err != nil {
		return nil, err
	}
	common := []string{"-accel", accelerator, "-m", "1536", "-smp", "2", "-display", "none", "-monitor", "none",
		"-serial", "stdio", "-no-reboot", "-nodefaults", "-kernel", image, "-initrd", initial,
		"-drive", "if=none,id=disk,format=raw,cache=unsafe,file=" + disk}
	command := "rdinit=/guest quiet loglevel=4 panic=-1 mitigations=off audit=0 nokaslr console="
	if k.arch == "arm64" {
		return append([]string{emulators[k.arch], "-M", "virt", "-cpu", k.cpu, "-device", "virtio-blk-pci,drive=disk",
			"-append", command + "ttyAMA0"}, common...), nil
	}
	return append([]string{emulators[k.arch], "-M", "q35", "-cpu", k.cpu, "-device", "virtio-blk-pci,drive=disk",
		"-append", command + "ttyS0"}, common...), nil
}
