package machine

import (
	"bytes"
	"encoding/binary"

	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
)

// The structures of proc_info(2) on macOS, as bsd/sys/proc_info.h of xnu-11417
// lays them out. They are read from bytes so that every system can test it.
const (
	bsdInfoSize      = 136  // struct proc_bsdinfo
	fdInfoSize       = 8    // struct proc_fdinfo
	vnodePathSize    = 1176 // struct vnode_info_path
	vnodePathsSize   = 2 * vnodePathSize
	fileInfoSize     = 24 // struct proc_fileinfo
	vnodeFDPathSize  = fileInfoSize + vnodePathSize
	pathInVnodePath  = 152 // behind struct vnode_info
	fdTypeVnode      = 1   // PROX_FDTYPE_VNODE
	statusCloseOnExe = 2   // PROC_FP_CLEXEC
	flagNoCache      = 0x40000
)

// parseBSDInfo reads a struct proc_bsdinfo.
func parseBSDInfo(b []byte) (p Process, ok bool) {
	if len(b) < bsdInfoSize {
		return p, false
	}
	p.PID = binary.LittleEndian.Uint32(b[12:])
	p.Parent = binary.LittleEndian.Uint32(b[16:])
	p.UID = binary.LittleEndian.Uint32(b[20:])
	if p.Name = text(b[64:96]); p.Name == "" { // the long name, if there is one
		p.Name = text(b[48:64])
	}
	return p, true
}

// parseFDs reads an array of struct proc_fdinfo and returns the descriptors
// that refer to files.
func parseFDs(b []byte) (fds []int32) {
	for ; len(b) >= fdInfoSize; b = b[fdInfoSize:] {
		if binary.LittleEndian.Uint32(b[4:]) == fdTypeVnode {
			fds = append(fds, int32(binary.LittleEndian.Uint32(b)))
		}
	}
	return fds
}

// parseFDPath reads a struct vnode_fdinfowithpath.
func parseFDPath(fd int32, b []byte) (f OpenFile, ok bool) {
	if len(b) < vnodeFDPathSize {
		return f, false
	}
	f.FD = fd
	flags := binary.LittleEndian.Uint32(b)
	// The kernel keeps FREAD and FWRITE (1, 2) where open(2) has O_RDONLY and
	// O_WRONLY (0, 1).
	f.Flags = macos.OpenFlags(uint64(flags&^3|(flags&3-1)&3)) &^ (trace.FlagCreate | trace.FlagTrunc | trace.FlagExcl)
	if flags&flagNoCache != 0 {
		f.Flags |= trace.FlagNoCache
	}
	f.CloseOnExec = binary.LittleEndian.Uint32(b[4:])&statusCloseOnExe != 0
	f.Offset = int64(binary.LittleEndian.Uint64(b[8:]))
	f.Path = text(b[fileInfoSize+pathInVnodePath : vnodeFDPathSize])
	return f, f.Path != "" && f.Offset >= 0
}

// parseDir reads the working directory of a struct proc_vnodepathinfo.
func parseDir(b []byte) string {
	if len(b) < vnodePathsSize {
		return ""
	}
	return text(b[pathInVnodePath:vnodePathSize])
}

// parseArgs reads what sysctl KERN_PROCARGS2 returns: the number of arguments,
// the program's path, NULs, and then arguments and environment, each ended by
// NUL.
func parseArgs(b []byte) (exe, args string) {
	if len(b) < 5 {
		return "", ""
	}
	count := int(int32(binary.LittleEndian.Uint32(b)))
	b = b[4:]
	end := bytes.IndexByte(b, 0)
	if end < 0 || count < 0 {
		return "", ""
	}
	exe = string(b[:end])
	b = bytes.TrimLeft(b[end:], "\x00")
	at := 0
	for i := 0; i < count && at < len(b); i++ {
		n := bytes.IndexByte(b[at:], 0)
		if n < 0 {
			n = len(b) - at
		}
		at += n + 1
	}
	return exe, string(b[:max(min(at-1, len(b)), 0)])
}

// text reads a NUL-terminated string.
func text(b []byte) string {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return string(b)
}
