package tracer

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// account finds a user's passwd entry: in the file, or through getent for users
// who come from a directory service.
func account(uid uint32) (*User, error) {
	if text, err := os.ReadFile("/etc/passwd"); err == nil {
		if u := passwdEntry(string(text), uid); u != nil {
			return u, nil
		}
	}
	out, err := exec.Command("getent", "passwd", strconv.FormatUint(uint64(uid), 10)).Output()
	if u := passwdEntry(string(out), uid); u != nil {
		return u, nil
	}
	if err != nil {
		return nil, fmt.Errorf("user ID %d is in no passwd database: getent: %w", uid, err)
	}
	return nil, fmt.Errorf("user ID %d is in no passwd database", uid)
}

// passwdEntry finds a user in the text of a passwd(5) file, nil if it is not
// there.
func passwdEntry(text string, uid uint32) *User {
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimRight(line, "\n"), ":")
		if len(f) != 7 || f[2] != strconv.FormatUint(uint64(uid), 10) {
			continue
		}
		gid, err := strconv.ParseUint(f[3], 10, 32)
		if err != nil {
			continue
		}
		shell := f[6]
		if shell == "" {
			shell = "/bin/sh" // as passwd(5) defines it
		}
		return &User{Name: f[0], UID: uid, GID: uint32(gid), Home: f[5], Shell: shell}
	}
	return nil
}
