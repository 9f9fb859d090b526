// Package macos holds what the macOS backends and importers share: the names
// and numbers of its system calls, and its flags and error numbers translated
// into those of a trace. It also has its disks, and what its tracing tools
// print when they cannot work. Numbers are those of xnu-11417 (macOS 15.4);
// they are part of the system's ABI and do not change.
package macos

// unknownErrno is added to a macOS error number that Linux does not have
// (EBADARCH, EFTYPE, …), so that it stays recognisable and collides with none.
const unknownErrno = 1000

// linuxErrno translates the macOS error numbers that differ from Linux
// (bsd/sys/errno.h against include/uapi/asm-generic/errno.h). A trace stores
// Linux numbers whatever system it was recorded on.
var linuxErrno = map[int64]int64{
	11: 35, 35: 11, // EDEADLK, EAGAIN
	36: 115, 37: 114, 38: 88, 39: 89, 40: 90, 41: 91, 42: 92, 43: 93, 44: 94, // EINPROGRESS … ESOCKTNOSUPPORT
	45: 95, 46: 96, 47: 97, 48: 98, 49: 99, 50: 100, 51: 101, 52: 102, 53: 103, 54: 104, 55: 105, // ENOTSUP … ENOBUFS
	56: 106, 57: 107, 58: 108, 59: 109, 60: 110, 61: 111, // EISCONN … ECONNREFUSED
	62: 40, 63: 36, 64: 112, 65: 113, 66: 39, 68: 87, 69: 122, 70: 116, 71: 66, // ELOOP … EREMOTE
	77: 37, 78: 38, 84: 75, 89: 125, 90: 43, 91: 42, 92: 84, // ENOLCK, ENOSYS, EOVERFLOW, ECANCELED …
	93: 61, 96: 61, // ENOATTR and ENODATA: both are what Linux calls ENODATA
	94: 74, 95: 72, 97: 67, 98: 63, 99: 60, 100: 71, 101: 62, 102: 95, 104: 131, 105: 130,
}

// Errno translates a macOS error number into the one a trace stores.
func Errno(n int64) int64 {
	if to, ok := linuxErrno[n]; ok {
		return to
	}
	if n <= 34 { // the first 34 are those of Version 7 and 4.2BSD on both
		return n
	}
	return unknownErrno + n
}
