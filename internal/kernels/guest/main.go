//go:build linux

// Command guest is the first process of a virtual machine that tries iotrace on
// a kernel: it loads modules, mounts a disk, runs the checks one after the
// other, prints what each found as JSON, and switches the machine off. It is
// also the workload of the checks.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"
)

func main() {
	if len(os.Args) > 2 {
		if err := workload(os.Args[1], os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, "guest:", err)
			os.Exit(1)
		}
		return
	}
	role := os.Getenv("role") // from the kernel's command line
	if err := prepare(); err != nil {
		report(result{Check: "boot", Found: err.Error()})
	} else if role != "" {
		inPair(role)
	} else {
		for _, c := range checks {
			r := c.run()
			if report(r); c.name == "doctor" && !r.OK {
				break // the others would say the same
			}
		}
	}
	if role == "" { // a disk that is frozen waits for ever
		unix.Sync()
	}
	unix.Reboot(unix.LINUX_REBOOT_CMD_POWER_OFF)
}

// workload is what the checks record.
func workload(name string, args []string) error {
	switch name {
	case "copy":
		return copyFile(args[0], args[1])
	case "direct":
		return direct(args[0])
	case "held":
		return held(args[0])
	case "limited":
		return limited(args[0])
	case "reads":
		n, err := strconv.Atoi(args[0])
		if err != nil {
			return err
		}
		return reads(n)
	case "send":
		return send(args[0], args[1])
	case "snooped":
		return snooped(args[0])
	case "storm":
		return storm(args[0])
	}
	return fmt.Errorf("no workload %q", name)
}

func copyFile(from, to string) error {
	in, err := unix.Open(from, unix.O_RDONLY, 0)
	if err != nil {
		return err
	}
	out, err := unix.Open(to, unix.O_WRONLY|unix.O_CREAT|unix.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	for buffer := make([]byte, 128<<10); ; {
		n, err := unix.Read(in, buffer)
		if err != nil || n == 0 {
			return err
		}
		if _, err := unix.Write(out, buffer[:n]); err != nil {
			return err
		}
	}
}

func reads(n int) error {
	fd, err := unix.Open("/dev/zero", unix.O_RDONLY, 0)
	if err != nil {
		return err
	}
	var b [1]byte
	for range n {
		if _, err := unix.Pread(fd, b[:], 0); err != nil {
			return err
		}
	}
	return nil
}

const readers = 3

// storm runs programs that read as fast as they can, all on one processor.
func storm(n string) error {
	runtime.LockOSThread()
	var one unix.CPUSet
	one.Set(0)
	if err := unix.SchedSetaffinity(0, &one); err != nil {
		return err
	}
	var all [readers]*exec.Cmd
	for i := range all {
		all[i] = exec.Command(self, "reads", n)
		if err := all[i].Start(); err != nil {
			return err
		}
	}
	for _, c := range all {
		if err := c.Wait(); err != nil {
			return err
		}
	}
	return nil
}
