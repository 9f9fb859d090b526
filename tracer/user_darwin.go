package tracer

import (
	"fmt"
	"os/exec"
	"strconv"
	"strings"
)

// account asks id(1) for a user's passwd entry: macOS keeps users in a
// directory, not in a file.
func account(uid uint32) (*User, error) {
	out, err := exec.Command("id", "-P", strconv.FormatUint(uint64(uid), 10)).Output()
	if err != nil {
		return nil, fmt.Errorf("running id -P %d: %w", uid, err)
	}
	// name:password:uid:gid:class:change:expire:gecos:home:shell
	f := strings.Split(strings.TrimRight(string(out), "\n"), ":")
	if len(f) != 10 {
		return nil, fmt.Errorf("reading the output of id -P %d: want 10 fields, got %d", uid, len(f))
	}
	gid, err := strconv.ParseUint(f[3], 10, 32)
	if err != nil {
		return nil, fmt.Errorf("reading the output of id -P %d: %w", uid, err)
	}
	return &User{Name: f[0], UID: uid, GID: uint32(gid), Home: f[8], Shell: f[9]}, nil
}
