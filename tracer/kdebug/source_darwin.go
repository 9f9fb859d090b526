package kdebug

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/machine"
)

// New returns a source on the running system. It touches nothing yet.
func New(o Options) (*Source, error) {
	if macos.Translated() {
		return nil, fmt.Errorf("recording through kdebug: %w: this is the program for Intel, run by Rosetta, which hides "+
			"the kernel's clock; "+
			"use the one for Apple silicon", tracer.ErrUnsupported)
	}
	return newSource(o, xnu{}, machine.Live(), Frequency(machine.TicksPerSecond()), uint32(os.Getpid()), macos.ThisMac()),
		nil
}

// Probe finds out, by trying, what can be recorded here.
func Probe() []tracer.Check {
	release, _ := unix.Sysctl("kern.osrelease")
	s, err := New(Options{Buffer: probeBuffer})
	if err != nil {
		return []tracer.Check{{Name: "kernel", Required: true, Found: err.Error()}}
	}
	return probe(s, release)
}

// probeBuffer is enough for the few records of a probe.
const probeBuffer = 1 << 20

// xnu is the running kernel.
type xnu struct{}

func (xnu) tracePaths() error {
	_, err := unix.SysctlRaw("vfs.generic.trace_paths")
	return err
}

// sysctl makes the system call itself: the libSystem wrapper needs cgo, and
// that of golang.org/x/sys asks for the size first, which these operations do
// not take well.
func (xnu) sysctl(mib []int32, old []byte, length uintptr) (uintptr, error) {
	var p unsafe.Pointer
	if len(old) > 0 {
		p = unsafe.Pointer(&old[0])
	}
	_, _, errno := syscall.Syscall6(syscall.SYS___SYSCTL, uintptr(unsafe.Pointer(&mib[0])), uintptr(len(mib)),
		uintptr(p), uintptr(unsafe.Pointer(&length)), 0, 0)
	runtime.KeepAlive(mib)
	runtime.KeepAlive(old)
	if errno != 0 {
		return 0, errno
	}
	return length, nil
}
