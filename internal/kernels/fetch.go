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
)

// sources are where packages come from. They are apt's, but in a directory of
// their own: the machine's lists stay as they are. Debian does not carry Ubuntu's
// keys; what comes from there runs in a virtual machine only.
var sources = map[string]string{
	"debian": `deb [arch=amd64,arm64 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bullseye main
deb [arch=amd64,arm64 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian-security bullseye-security main
deb [arch=amd64,arm64 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main
deb [arch=amd64,arm64 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian trixie main
deb [arch=amd64,arm64 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian trixie-backports main
`,
	"ubuntu": `deb [arch=amd64 trusted=yes] http://archive.ubuntu.com/ubuntu jammy-updates main universe
deb [arch=amd64 trusted=yes] http://archive.ubuntu.com/ubuntu jammy-security main universe
`,
}

// fetch returns the directory that a kernel's packages are unpacked in, which it makes if it is not there.
func (t *trial) fetch(k *kernel) (string, error) {
	dir := filepath.Join(t.cache, k.name)
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	a := apt{dir: filepath.Join(t.cache, "apt-"+k.source)}
	if err := a.update(sources[k.source]); err != nil {
		return "", err
	}
	images, err := a.search(k.image, k.arch)
	if err != nil {
		return "", err
	}
	for _, image := range images { // a mirror may list what it has no more
		if err = a.unpack(k, image, dir); err == nil {
			return dir, nil
		}
	}
	return "", errors.Join(fmt.Errorf("no package %s for %s could be fetched", k.image, k.arch), err)
}

// apt is a private state of the package manager.
type apt struct {
	dir string
}

func (a *apt) command(name string, args ...string) *exec.Cmd {
	options := []string{"-qq", "-o", "Dir::Etc::SourceList=" + a.dir + "/sources.list", "-o", "Dir::Etc::SourceParts=/dev/null",
		"-o", "Dir::State=" + a.dir, "-o", "Dir::State::Status=" + a.dir + "/status", "-o", "Dir::Cache=" + a.dir + "/cache",
		"-o", "APT::Architectures=amd64,arm64", "-o", "Acquire::Languages=none", "-o", "APT::Sandbox::User=root"}
	return exec.Command(name, append(options, args...)...)
}

func (a *apt) update(list string) error {
	if err := errors.Join(os.MkdirAll(a.dir+"/lists/partial", 0o755), os.MkdirAll(a.dir+"/cache/archives/partial", 0o755)); err != nil {
		return err
	}
	if err := errors.Join(os.WriteFile(a.dir+"/sources.list", []byte(list), 0o644), os.WriteFile(a.dir+"/status", nil, 0o644)); err != nil {
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
	fresh, err := os.MkdirTemp(filepath.Dir(dir), ".fetching-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(fresh)
	c := a.command("apt-get", append([]string{"download"}, packages...)...)
	c.Dir = fresh
	if err := run(c); err != nil {
		return err
	}
	debs, _ := filepath.Glob(fresh + "/*.deb")
	for _, deb := range debs {
		if err := errors.Join(run(exec.Command("dpkg-deb", "-x", deb, fresh)), os.Remove(deb)); err != nil {
			return err
		}
	}
	return os.Rename(fresh, dir)
}

// run runs a command whose output matters only if it fails.
func run(c *exec.Cmd) error {
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", strings.Join(c.Args, " "), err, out)
	}
	return nil
}
