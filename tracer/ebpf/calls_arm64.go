//go:build linux

package ebpf

import "golang.org/x/sys/unix"

const sysNewfstatat = unix.SYS_FSTATAT

var legacyCalls []call
