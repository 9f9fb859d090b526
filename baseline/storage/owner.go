package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// ownerName is the file in a working directory that says whose it is. Its lock is held
// as long as the run lives.
const (
	ownerName = "owner"
	ownerLine = "iotrace bench made this directory and removes it when it ends"
)

// ownerInfo is what an owner file says.
type ownerInfo struct {
	valid bool
	pid   int
	host  string
}

func parseOwner(text string) ownerInfo {
	lines := strings.Split(text, "\n")
	o := ownerInfo{valid: lines[0] == ownerLine}
	for _, line := range lines[1:] {
		key, value, _ := strings.Cut(line, " ")
		switch key {
		case "pid":
			o.pid, _ = strconv.Atoi(value)
		case "host":
			o.host = value
		}
	}
	return o
}

func (o ownerInfo) String() string {
	if o.pid == 0 {
		return ""
	}
	return fmt.Sprintf(" (process %d on %s)", o.pid, o.host)
}

// alive reports whether the owner may still run: only asked where file locks
// do not work. A process on another host is taken to be alive.
func (o ownerInfo) alive() bool {
	if host, _ := os.Hostname(); o.pid <= 0 || o.host != host {
		return o.pid > 0
	}
	return !errors.Is(unix.Kill(o.pid, 0), unix.ESRCH)
}

// mine tells whether a directory is of the user who runs this: in anybody else's
// nothing is made or removed, whatever it looks like.
func mine(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return !ok || int(st.Uid) == os.Geteuid()
}

func sameAsOpen(info fs.FileInfo, f *os.File) bool {
	open, err := f.Stat()
	return err == nil && os.SameFile(info, open)
}
