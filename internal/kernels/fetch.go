//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// suites are where packages come from, each with all that may have its kernels.
// They are apt's, but in a directory of their own: the machine's lists stay as
// they are. apt checks what it fetches by the sums of the index, and that by the
// signature; but Debian does not carry Ubuntu's keys: what comes from there runs
// in a virtual machine only.
var suites = map[string][]string{
	"bullseye":         {debian + "bullseye main", debianSecurity + "bullseye-security main"},
	"bookworm":         {debian + "bookworm main"},
	"trixie":           {debian + "trixie main"},
	"trixie-backports": {debian + "trixie-backports main"},
	"jammy":            {ubuntu + "jammy-updates main universe", ubuntu + "jammy-security main universe"},
}

const (
	signed         = "deb [arch=amd64,arm64 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] "
	debian         = signed + "http://deb.debian.org/debian "
	debianSecurity = signed + "http://deb.debian.org/debian-security "
	ubuntu         = "deb [arch=amd64 trusted=yes] http://archive.ubuntu.com/ubuntu "
)

// fetch returns the directory that a kernel's packages are unpacked in, which it makes if it is not there.
func (t *trial) fetch(k *kernel) (string, error) {
	dir := filepath.Join(t.cache, k.name)
	there, err := os.Stat(dir)
	if err == nil && time.Since(there.ModTime()) < fresh {
		return dir, nil
	}
	if err := t.fetchNow(k, dir); err != nil && there == nil {
		return "", err
	}
	return dir, nil // an old one is better than none
}

// fresh is how long a kernel is used before there may be a newer release of it.
const fresh = 30 * 24 * time.Hour

func (t *trial) fetchNow(k *kernel, dir string) error {
	a := apt{dir: filepath.Join(t.cache, "apt", k.suite)}
	if !t.updated[k.suite] {
		if err := a.update(suites[k.suite]); err != nil {
			return errors.Join(errUnavailable, err)
		}
		t.updated[k.suite] = true
	}
	images, err := a.search(k.image, k.arch)
	if err != nil {
		return err
	}
	err = fmt.Errorf("%s has no package %s for %s", k.suite, k.image, k.arch)
	for _, image := range images { // a mirror may list what it has no more
		if err = a.unpack(k, image, dir); err == nil {
			return nil
		}
	}
	return errors.Join(errUnavailable, err)
}

// apt is a private state of the package manager.
type apt struct {
	dir string
}

func (a *apt) command(name string, args ...string) *exec.Cmd {
	options := []string{"-qq", "-o", "Dir::Etc::SourceList=" + a.dir + "/sources.list", "-o",
		"Dir::Etc::SourceParts=/dev/null", "-o", "Dir::State=" + a.dir, "-o", "Dir::State::Status=" + a.dir + "/status", "-o",
		"Dir::Cache=" + a.dir + "/cache", "-o", "APT::Architectures=amd64,arm64", "-o", "Acquire::Languages=none", "-o",
		"APT::Sandbox::User=root", "-o", "APT::Update::Error-Mode=any", "-o", "Acquire::Retries=2", "-o",
		"Acquire::http::Timeout=30"}
	return exec.Command(name, append(options, args...)...)
}

func (a *apt) update(list []string) error {
	if err := errors.Join(os.MkdirAll(a.dir+"/lists/partial", 0o755), os.MkdirAll(a.dir+"/cache/archives/partial",
		0o755)); err != nil {
		return err
	}
	if err := errors.Join(os.WriteFile(a.dir+"/sources.list", []byte(strings.Join(list, "\n")+"\n"), 0o644),
		os.WriteFile(a.dir+"/status", nil, 0o644)); err != nil {
		return err
	}
	return run(a.command("apt-get", "update"))
}

// search lists the packages of a name, the newest first.
func (a *apt) search(pattern, arch string) ([]string, error) {
	out, err := a.command("apt-cache", "search", "--names-only", "^"+pattern+"$").Output()
	if err != nil {
		return nil, fmt.Errorf("apt-cache search: %w", err)
	}
	var found []string
	for line := range strings.Lines(string(out)) {
		name, _, _ := strings.Cut(line, " ")
		found = append(found, strings.TrimSuffix(name, ":"+arch))
	}
	c := exec.Command("sort", "-Vru")
	c.Stdin = strings.NewReader(strings.Join(found, "\n"))
	sorted, err := c.Output()
	return slices.DeleteFunc(strings.Split(string(sorted), "\n"), func(s string) bool { return s == "" }), err
}

// unpack fetches the packages of a kernel and makes dir of their files.
func (a *apt) unpack(k *kernel, image, dir string) error {
	packages := []string{image + ":" + k.arch}
	for _, prefix := range k.further {
		packages = append(packages, prefix+strings.TrimPrefix(image, "linux-image")+":"+k.arch)
	}
	made, err := os.MkdirTemp(filepath.Dir(dir), ".fetching-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(made)
	c := a.command("apt-get", append([]string{"download"}, packages...)...)
	c.Dir = made
	if err := run(c); err != nil {
		return err
	}
	debs, _ := filepath.Glob(made + "/*.deb")
	for _, deb := range debs {
		if err := errors.Join(run(exec.Command("dpkg-deb", "-x", deb, made)), os.Remove(deb)); err != nil {
			return err
		}
	}
	now := time.Now() // else it is as old as what was unpacked
	return errors.Join(os.Chtimes(made, now, now), os.RemoveAll(dir), os.Rename(made, dir))
}

// run runs a command whose output matters only if it fails.
func run(c *exec.Cmd) error {
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", strings.Join(c.Args, " "), err, out)
	}
	return nil
}
