//go:build linux

package main

import (
	"cmp"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
)

// initramfs holds the two programs and the modules that this kernel needs.
func (t *trial) initramfs(k *kernel, dir string, further []string) ([]byte, error) {
	var a archive
	a.Dir("dev")
	for _, program := range []string{"iotrace", "guest"} {
		content, err := os.ReadFile(filepath.Join(t.scratch, k.arch, program))
		if err != nil {
			return nil, err
		}
		a.File(program, content)
	}
	if err := biosnoop(&a, k); err != nil {
		return nil, err
	}
	if err := shareDaemon(&a, k, further); err != nil {
		return nil, err
	}
	if err := addModules(&a, dir, slices.Concat(modules, further)); err != nil {
		return nil, err
	}
	return a.End(), nil
}

// biosnoop adds the tool of that name, and the libraries that it needs, for the check of guest_biosnoop.go. It is that
// of Debian sid, where scripts/dtrace-sid has put it: older ones load on few of the kernels. Without it nothing is
// added.
func biosnoop(a *archive, k *kernel) error {
	root := cmp.Or(os.Getenv("IOTRACE_SID"), "/var/cache/iotrace-sid")
	libraries := root + "/usr/lib/x86_64-linux-gnu"
	program, err := os.ReadFile(root + "/usr/sbin/biosnoop-libbpf")
	if _, missing := os.Stat(libraries); err != nil || missing != nil || k.arch != "amd64" {
		return nil
	}
	return addProgram(a, "biosnoop", program, libraries)
}

const daemonOfShare = "/usr/libexec/ksmbd.tools"

// shares reports whether what the kernel's server of SMB needs is installed, for machines like this.
func shares(k *kernel) bool {
	_, err := os.Stat(daemonOfShare)
	return err == nil && k.arch == runtime.GOARCH
}

// shareDaemon adds the daemon of the kernel's server of SMB to a machine that has the module. Where it is not installed
// nothing is added.
func shareDaemon(a *archive, k *kernel, modules []string) error {
	if !shares(k) || !slices.Contains(modules, "ksmbd") {
		return nil
	}
	program, err := os.ReadFile(daemonOfShare)
	if err != nil {
		return err
	}
	machine := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[k.arch]
	return addProgram(a, "ksmbd.tools", program, "/usr/lib/"+machine+"-linux-gnu")
}

// makeDisk makes a file system with the file that is copied, and others in files of their own.
func makeDisk(path string, fats []string) error {
	root := path + ".root"
	if err := os.MkdirAll(root, 0o755); err != nil {
		return err
	}
	defer os.RemoveAll(root)
	source, err := os.Create(filepath.Join(root, "source"))
	if err != nil {
		return err
	}
	for _, kind := range fats {
		image := filepath.Join(root, kind)
		if err := errors.Join(os.WriteFile(image, nil, 0o600), os.Truncate(image, fatBytes),
			run(exec.Command("mkfs."+kind, image))); err != nil {
			return err
		}
	}
	random, err := os.Open("/dev/urandom")
	if err != nil {
		return err
	}
	_, copied := io.CopyN(source, random, sourceBytes)
	if err := errors.Join(copied, random.Close(), source.Close(), os.WriteFile(path, nil, 0o600),
		os.Truncate(path, 8*sourceBytes)); err != nil {
		return err
	}
	return run(exec.Command("mke2fs", "-q", "-F", "-t", "ext4", "-b", "4096", "-E",
		"nodiscard,lazy_itable_init=0,lazy_journal_init=0", "-d", root, path))
}

const sourceBytes = 32 << 20 // of the file that is copied
