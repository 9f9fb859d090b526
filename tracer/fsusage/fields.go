package fsusage

import (
	"bytes"
	"strconv"
	"strings"
)

// field is a bit for each thing that may stand between the name of a call and
// its path.
type field uint16

const (
	fErrno  field = 1 << iota // [  2]
	fFD                       // F=5
	fFD2                      // F=5 again: the result
	fBytes                    // B=0x1000
	fOffset                   // O=0x00000000
	fBlock                    // D=0x0e2db501
	fAddr                     // A=0x00000000 or P=0x00000000
	fDevice                   // /dev/disk3s5
	fTag                      // <FULLFSYNC>
	fParens                   // (RWC___________)
	fCount                    // S=3 or N=3
	fDirFD                    // [-2]/ in front of the path
	fLast                     // nothing but the path follows a tag, parentheses or device
)

// kinds says which fields a call's line has, in the order of FMT_… in
// fs_usage.c. A call that is not listed names its file by path.
var kinds = func() map[string]field {
	m := map[string]field{}
	add := func(f field, names ...string) {
		for _, n := range names {
			m[n[:min(len(n), nameWidth)]] = f
		}
	}
	add(fErrno|fFD, "close", "guarded_close_np", "fgetxattr", "fsetxattr", "fremovexattr", "flistxattr", "fstat",
		"fstat64",
		"fstat_extended", "fstat64_extended", "fchown", "fchdir", "pthread_fchdir", "futimes", "fsync", "fdatasync",
		"fstatfs",
		"fstatfs64", "fpathconf", "fgetattrlist", "fsetattrlist", "getdirentriesattr", "ffsctl", "sendfile", "map_fd",
		"connect", "bind", "listen")
	add(fErrno|fFD|fFD2, "dup", "dup2", "accept")
	add(fErrno|fFD|fBytes, "read", "write", "readv", "writev", "getdirentries", "getdirentries64", "guarded_write_np",
		"guarded_writev_np", "recvmsg", "sendmsg", "recvfrom", "sendto")
	add(fErrno|fFD|fBytes|fOffset, "pread", "pwrite", "preadv", "pwritev", "guarded_pwrite_np")
	add(fErrno|fFD|fOffset|fTag, "lseek")
	add(fErrno|fFD|fParens|fLast, "open", "open_extended", "open_dprotected", "open_dprotected_np", "guarded_open_np",
		"guarded_open_dprotected_np")
	add(fErrno|fFD|fParens|fDirFD|fLast, "openat")
	add(fErrno|fDirFD, "fstatat", "fstatat64", "chownat", "linkat", "unlinkat", "readlinkat", "symlinkat", "mkdirat",
		"getattrlistat", "renameat")
	add(fErrno|fFD|fFD2|fTag, "fcntl", "ioctl", "IOCTL", "flock", "fchmod", "fchmod_extended", "fchflags", "socket")
	add(fErrno|fFD|fAddr|fOffset|fBytes|fTag, "mmap")
	add(fErrno|fFD|fOffset, "ftruncate")
	add(fErrno|fOffset, "truncate")
	add(fErrno|fParens|fLast, "access")
	add(fErrno|fTag|fLast, "chmod", "chmod_extended", "umask", "umask_extended", "chflags", "mount", "unmount")
	add(fErrno|fTag|fDirFD|fLast, "chmodat")
	add(fErrno|fAddr|fBytes|fTag, "msync", "aio_fsync", "aio_return", "aio_error", "aio_read", "aio_write")
	add(fErrno|fAddr|fFD, "aio_cancel")
	add(fErrno|fCount|fTag, "select", "aio_suspend", "lio_listio")
	add(fAddr, "PAGE_IN", "PAGE_IN_FILE", "PAGE_IN_ANON", "CACHE_HIT")
	add(fBytes, "PAGE_OUT_ANON", "PAGE_OUT_FILE")
	add(fParens|fLast, "HFS_update")
	add(fBlock|fBytes|fDevice, "TrimExtent")
	add(fDevice, "SyncCacheCS")
	return m
}()

// nameWidth is the number of characters of a call's name that are printed.
const nameWidth = 17

const diskFields = fErrno | fBlock | fBytes | fDevice | fLast

// middle reads the fields between the call's name and the path, and the path.
func (l *Line) middle(b []byte) {
	allowed, known := kinds[l.Call]
	switch {
	case l.Disk:
		allowed = diskFields
	case !known:
		allowed = fErrno
	}
	if l.Call == "IOCTL" {
		allowed |= fDevice
	}
	only := allowed
	for {
		if l.Disk && l.Errno != 0 { // a failed request is printed without its size and device
			allowed &^= fBytes | fDevice
		}
		b = bytes.TrimLeft(b, " ")
		n, got := l.field(b, allowed)
		if n == 0 {
			break
		}
		b = b[n:]
		allowed &^= got
		if got&(fTag|fParens|fDevice) != 0 && only&fLast != 0 {
			break
		}
	}
	l.path(bytes.TrimLeft(b, " "), only)
}

// field reads one field, if b begins with one that is allowed.
func (l *Line) field(b []byte, allowed field) (n int, got field) {
	if len(b) < 2 {
		return 0, 0
	}
	end := bytes.IndexByte(b, ' ')
	if end < 0 {
		end = len(b)
	}
	switch {
	case b[0] == '[' && allowed&fErrno != 0:
		// "[  2]" is right-aligned in three places; "[5]/path" is a directory.
		if close := bytes.IndexByte(b, ']'); close >= 4 && close <= 8 && (close+1 == len(b) || b[close+1] != '/') {
			if v, ok := digits(bytes.TrimLeft(b[1:close], " ")); ok {
				l.Errno = v
				return close + 1, fErrno
			}
		}
	case b[0] == '<' && allowed&fTag != 0:
		if close := bytes.IndexByte(b, '>'); close > 0 {
			l.Tag = string(b[1:close])
			return close + 1, fTag
		}
	case b[0] == '(' && allowed&fParens != 0:
		if close := bytes.IndexByte(b, ')'); close > 0 {
			l.Flags = string(b[1:close])
			return close + 1, fParens
		}
	case bytes.HasPrefix(b, []byte("/dev/")) && allowed&fDevice != 0:
		l.Device = string(b[5:end])
		return end, fDevice
	case b[1] == '=' && end > 2:
		return l.number(b[:end], allowed)
	}
	return 0, 0
}

// number reads "X=…". What follows without a blank ("F=5[  9]") is left.
func (l *Line) number(b []byte, allowed field) (n int, got field) {
	value := b[2:]
	if i := bytes.IndexByte(value, '['); i >= 0 {
		value = value[:i]
	}
	v, err := strconv.ParseUint(string(value), 0, 64)
	signed := int64(v)
	if err != nil {
		s, err := strconv.ParseInt(string(value), 10, 32)
		if err != nil {
			return 0, 0
		}
		signed = s
	}
	size := 2 + len(value)
	switch {
	case b[0] == 'F' && allowed&fFD != 0:
		l.FD = int32(signed)
		return size, fFD
	case b[0] == 'F' && allowed&fFD2 != 0:
		l.FD2 = int32(signed)
		return size, fFD2
	case b[0] == 'B' && allowed&fBytes != 0 && signed >= 0:
		l.Bytes = signed
		return size, fBytes
	case b[0] == 'O' && allowed&fOffset != 0 && signed >= 0:
		l.Offset = signed
		return size, fOffset
	case b[0] == 'D' && allowed&fBlock != 0 && signed >= 0:
		l.Block = signed
		return size, fBlock
	case (b[0] == 'A' || b[0] == 'P') && allowed&fAddr != 0:
		l.Address = v
		return size, fAddr
	case (b[0] == 'S' || b[0] == 'N') && allowed&fCount != 0:
		return size, fCount
	}
	return 0, 0
}

// path reads what is left. The descriptor of a directory may be in front.
func (l *Line) path(b []byte, only field) {
	b = bytes.TrimRight(b, " ")
	if only&fDirFD != 0 && len(b) > 0 && b[0] == '[' {
		if close := bytes.Index(b, []byte("]/")); close > 0 {
			if v, err := strconv.ParseInt(string(b[1:close]), 10, 32); err == nil {
				l.DirFD = int32(v)
				b = b[close+2:]
			}
		}
	}
	if l.Errno != 0 { // what was not found is filled up
		b = bytes.TrimRight(b, ">")
	}
	l.Path = string(b)
	l.Cut = l.Cut && l.Path != "" && !strings.HasPrefix(l.Path, "/")
}
