package macos

import "golang.org/x/sys/unix"

// ThisMac is the machine that runs the program, also where Rosetta translates
// it.
func ThisMac() Model {
	if arm, err := unix.SysctlUint32("hw.optional.arm64"); err == nil && arm == 1 {
		return AppleSilicon
	}
	return Intel
}

// Translated reports whether Rosetta runs the program: it then sees another
// clock than the kernel.
func Translated() bool {
	n, err := unix.SysctlUint32("sysctl.proc_translated")
	return err == nil && n == 1
}
