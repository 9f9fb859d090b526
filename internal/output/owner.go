package output

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// OwnerName is the file in a working directory that says whose it is. Its lock is held
// as long as the run lives.
const OwnerName = "owner"

// line is the first of that file.
func (k *WorkspaceKind) line() string {
	return k.Maker + " made this directory and removes it when it ends"
}

// text is that file of this run.
func (k *WorkspaceKind) text() []byte {
	host, _ := os.Hostname()
	return fmt.Appendf(nil, "%s\npid %d\nhost %s\nstarted %s\n", k.line(), os.Getpid(), host,
		time.Now().UTC().Format(time.RFC3339))
}

// ownerInfo is what an owner file says.
type ownerInfo struct {
	valid bool
	pid   int
	host  string
}

func (k *WorkspaceKind) parse(text string) ownerInfo {
	lines := strings.Split(text, "\n")
	o := ownerInfo{valid: lines[0] == k.line()}
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
