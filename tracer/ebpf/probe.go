//go:build linux

package ebpf

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// Probe finds out what can be recorded here. It loads and attaches the probes
// for an instant, on a process that does not exist, so nothing is recorded.
func Probe() []tracer.Check {
	checks := []tracer.Check{kernelVersion(), typeInformation(), privileges(), lockdown(), processNumbers()}
	attached, limits, sampling := tryAttach()
	if !attached.OK && slices.ContainsFunc(checks, func(c tracer.Check) bool { return c.Required && !c.OK }) {
		attached.Remedy = "see above"
	}
	checks = append(checks, attached)
	if !attached.OK {
		return checks
	}
	for _, c := range consequences {
		check := tracer.Check{Name: strings.Join(c.hooks, ", "), OK: true, Found: "present"}
		if strings.HasPrefix(c.of, "/") && unmounted(c.of) {
			check.Found = "not there, as " + c.of + " is not: nothing to record"
		}
		for _, l := range limits {
			if l.Code == c.code {
				check.OK, check.Found, check.Remedy = false, l.Text, "a newer kernel has it; everything else is recorded"
			}
		}
		checks = append(checks, check)
	}
	return append(checks, sampling)
}

// kernelVersion is for the reader: what a kernel can do is tried, as
// distributions give old kernels much of what new ones have.
func kernelVersion() tracer.Check {
	var u unix.Utsname
	unix.Uname(&u)
	release := unix.ByteSliceToString(u.Release[:])
	return tracer.Check{Name: "kernel", OK: true, Found: "Linux " + release}
}

func typeInformation() tracer.Check {
	const file = "/sys/kernel/btf/vmlinux"
	c := tracer.Check{Name: "type information (BTF)", Required: true,
		Remedy: "run a kernel built with CONFIG_DEBUG_INFO_BTF=y"}
	if st, err := os.Stat(file); err == nil {
		c.OK, c.Found = true, fmt.Sprintf("%s, %d KiB", file, st.Size()>>10)
	} else {
		c.Found = "no " + file
		if _, err := os.Stat("/sys/kernel"); err != nil {
			c.Remedy = "mount /sys: mount -t sysfs sysfs /sys"
		}
	}
	return c
}

func privileges() tracer.Check {
	c := tracer.Check{Name: "privileges", OK: true, Required: true,
		Remedy: "run iotrace as root: sudo iotrace record -- COMMAND (the command itself runs as you)"}
	c.Found = fmt.Sprintf("user %d with what is needed", os.Geteuid())
	if missing := missingCapabilities(); len(missing) > 0 {
		c.OK, c.Found = false, fmt.Sprintf("user %d without %s", os.Geteuid(), strings.Join(missing, " and "))
	}
	return c
}

func lockdown() tracer.Check {
	c := tracer.Check{Name: "kernel lockdown", OK: true, Found: "off", Remedy: "lockdown in confidentiality mode " +
		"refuses tracing: boot with lockdown=integrity or without Secure Boot"}
	text, err := os.ReadFile("/sys/kernel/security/lockdown")
	if err != nil {
		return c
	}
	c.Found = bracketed(string(text)) // the same notation: one in brackets
	c.OK = c.Found != "confidentiality"
	return c
}

// hostNumbers is in which namespace process IDs are what the kernel itself calls processes
// (PROC_PID_INIT_INO in linux/proc_ns.h).
const hostNumbers = "pid:[4026531836]"

const numbersRemedy = "start the container with the host's process IDs (docker run --pid=host), or record from " +
	"outside: iotrace record -p PID there"

// processNumbers finds out whether processes have the IDs here that the kernel's events have.
func processNumbers() tracer.Check {
	c := tracer.Check{Name: "process IDs", OK: true, Required: true, Found: "those of the host", Remedy: numbersRemedy}
	switch space, err := os.Readlink("/proc/self/ns/pid"); {
	case unmounted("/proc/self"):
		c.OK, c.Found, c.Remedy = false, "not known, as there is no /proc", "mount /proc: "+mountProc
	case err == nil && space != hostNumbers:
		c.OK, c.Found = false, "those of a PID namespace, as in a container"
	}
	return c
}

func tryAttach() (c tracer.Check, limits []trace.Limit, sampling tracer.Check) {
	c = tracer.Check{Name: "probes", Required: true}
	const nobody = 1<<31 - 1 // no process has this ID
	t, err := New(Options{BufferSize: os.Getpagesize()})
	if err == nil {
		err = t.Attach(tracer.Scope{Launch: nobody})
	}
	if err != nil {
		c.Found = err.Error()
		switch {
		case errors.Is(err, unix.EMFILE):
			c.Remedy = "raise the limit of descriptors: " + moreDescriptors
		case errors.Is(err, tracer.ErrPermission), errors.Is(err, tracer.ErrUnsupported):
			c.Remedy = "see above"
		default:
			c.Remedy = "please report this with the kernel version"
		}
		return c, nil, sampling
	}
	defer t.Close()
	c.OK, c.Found = true, fmt.Sprintf("%d programs load and attach", len(t.links))
	return c, t.Limits(), samplingCheck(t.collection)
}
