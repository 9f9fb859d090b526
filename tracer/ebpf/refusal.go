//go:build linux

package ebpf

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/tracer"
)

// What an administrator is told to do.
const (
	mountProc       = "mount -t proc proc /proc"
	moreDescriptors = "ulimit -n 1024"
)

// leastDescriptors is how many files a process must be allowed to have open for
// the probes and their maps.
const leastDescriptors = 192

var errPermission = unix.EPERM

// explain turns the kernel's refusal into something to act on. The library that
// loads the probes takes many a failure for a kernel that is too old.
func explain(err error) error {
	var files unix.Rlimit
	few := unix.Getrlimit(unix.RLIMIT_NOFILE, &files) == nil && files.Cur < leastDescriptors
	switch {
	case few, errors.Is(err, unix.EMFILE), errors.Is(err, unix.ENFILE):
		return fmt.Errorf("loading the probes: %w; each takes a descriptor: raise the limit with `%s`", unix.EMFILE,
			moreDescriptors)
	case unmounted("/proc/self"):
		return fmt.Errorf("loading the probes: /proc is not mounted: %s", mountProc)
	case isVerifierError(err):
		return fmt.Errorf("loading the probes: the kernel's verifier refused them: %w: %w; please report it with the "+
			"kernel version", err, tracer.ErrUnsupported)
	// Of a missing right the library would name a limit of locked memory.
	case len(missingCapabilities()) > 0:
		return fmt.Errorf("loading the probes: %w; run as root (sudo), or with CAP_BPF and CAP_PERFMON",
			tracer.ErrPermission)
	case errors.Is(err, errPermission):
		return fmt.Errorf("loading the probes: %w to root as well, as by kernel lockdown in confidentiality mode: "+
			"`iotrace doctor` says more", tracer.ErrPermission)
	default:
		return fmt.Errorf("loading the probes: %w", err)
	}
}

// The capabilities that loading and attaching need (linux/capability.h).
var capabilities = []struct {
	name string
	bit  uint
}{{"CAP_BPF", 39}, {"CAP_PERFMON", 38}}

// missingCapabilities names those that this process does not have.
func missingCapabilities() (missing []string) {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	unix.Capget(&header, &data[0])
	effective := uint64(data[0].Effective) | uint64(data[1].Effective)<<32
	const sysAdmin = 21
	for _, needed := range capabilities {
		if effective>>needed.bit&1 == 0 && effective>>sysAdmin&1 == 0 {
			missing = append(missing, needed.name)
		}
	}
	return missing
}

// refusedHook is the hook of the program that an error of loading is about.
func refusedHook(spec *ebpf.CollectionSpec, err error) string {
	name, ok := strings.CutPrefix(err.Error(), "program ")
	if !ok {
		return ""
	}
	name, _, _ = strings.Cut(name, ":")
	if p := spec.Programs[name]; p != nil {
		return hookOf(name, p)
	}
	return ""
}

// hookOf is what runs a program. What a clock runs has no hook, and goes by its own name.
func hookOf(name string, p *ebpf.ProgramSpec) string { return cmp.Or(p.AttachTo, name) }

func isVerifierError(err error) bool {
	_, is := errors.AsType[*ebpf.VerifierError](err)
	return is
}

// unmounted tells whether a file system is not there that always has this name.
func unmounted(name string) bool {
	_, err := os.Stat(name)
	return errors.Is(err, fs.ErrNotExist)
}
