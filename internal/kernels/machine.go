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

var emulators = map[string]string{"amd64": "qemu-system-x86_64", "arm64": "qemu-system-aarch64"}

// longest is what a machine may take: emulated, on a busy host.
const longest = 40 * time.Minute

// role is what a machine is for.
type role struct {
	name    string   // of its files, and the argument of guest; "": the checks
	modules []string // needed beside those of every machine
	devices []string // further options of the emulator
}

// boot runs a machine with the kernel in dir, until it has done what it is for.
func (t *trial) boot(ctx context.Context, o *outcome, dir string, r role) {
	began := time.Now()
	defer func() { o.took = time.Since(began) }()
	arguments, err := t.machine(o.kernel, dir, r)
	if err != nil {
		o.err = err
		return
	}
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	c := exec.CommandContext(ctx, arguments[0], arguments[1:]...)
	c.Stderr = os.Stderr
	console, err := c.StdoutPipe()
	if err != nil {
		o.err = err
		return
	}
	if o.err = c.Start(); o.err != nil {
		return
	}
	last := o.follow(console, t.verbose)
	if err := c.Wait(); err != nil || !o.ended() {
		o.err = errors.Join(err, fmt.Errorf("the machine ended with: %s", strings.Join(last, "\n")))
	}
}

// mark tells results from what else is on the console.
const mark = "@@iotrace "

// follow reads the console and returns its last lines.
func (o *outcome) follow(console io.Reader, verbose bool) (last []string) {
	s := bufio.NewScanner(console)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		line := s.Text()
		if verbose {
			fmt.Printf("%s: %s\n", o.kernel.name, line)
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

// files is the directory of what a machine is made of.
func (t *trial) files(k *kernel, r role) string { return filepath.Join(t.scratch, k.name+r.name) }

const diskName = "disk"

// machine prepares the files of a virtual machine and returns its command line.
func (t *trial) machine(k *kernel, dir string, r role) ([]string, error) {
	image, err := kernelImage(dir)
	if err != nil {
		return nil, err
	}
	own := t.files(k, r)
	if err := os.Mkdir(own, 0o700); err != nil {
		return nil, err
	}
	initial, disk := filepath.Join(own, "initramfs"), filepath.Join(own, diskName)
	var fitting []string
	if k.triesFats() && r.name == "" {
		fitting = fats
	}
	content, err := t.initramfs(k, dir, r.modules)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(os.WriteFile(initial, content, 0o600), makeDisk(disk, fitting)); err != nil {
		return nil, err
	}
	common := append([]string{"-accel", accelerator, "-m", "1536", "-smp", "2", "-display", "none", "-monitor", "none",
		"-serial", "stdio", "-no-reboot", "-nodefaults", "-kernel", image, "-initrd", initial,
		"-drive", "if=none,id=disk,format=raw,cache=unsafe,file=" + disk}, r.devices...)
	command := "rdinit=" + self + " quiet loglevel=4 panic=-1 mitigations=off audit=0 nokaslr "
	if r.name != "" {
		command += fmt.Sprintf("role=%s cost=%d ", r.name, t.cost)
	}
	command += "console="
	if k.arch == "arm64" {
		return append([]string{emulators[k.arch], "-M", "virt", "-cpu", k.cpu, "-device", "virtio-blk-pci,drive=disk",
			"-append", command + "ttyAMA0"}, common...), nil
	}
	// Beside other work on the host the kernel may find that the timer does not tick, and give up.
	return append([]string{emulators[k.arch], "-M", "q35", "-cpu", k.cpu, "-device", "virtio-blk-pci,drive=disk",
		"-append", command + "ttyS0 no_timer_check"}, common...), nil
}
