package tracer

import (
	"errors"
	"fmt"
	"os/exec"
	accounts "os/user"
	"strconv"
	"strings"
)

// Account is a user of the system.
type Account struct {
	UID  uint32
	Name string // as it was asked for
}

// FindAccount finds a user by name or number. A number needs no account: users of containers have none.
func FindAccount(name string) (Account, error) {
	if n, err := strconv.ParseUint(name, 10, 32); err == nil && n < 1<<32-1 { // the highest stands for none
		return Account{uint32(n), name}, nil
	}
	if strings.HasPrefix(name, "-") {
		return Account{}, fmt.Errorf("user %q: not a name", name)
	}
	text := ""
	if u, err := accounts.Lookup(name); err == nil {
		text = u.Uid
	} else if out, err := exec.Command("getent", "passwd", name).Output(); err == nil { // of a directory service
		if f := strings.Split(string(out), ":"); len(f) > 2 {
			text = f[2]
		}
	}
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		return Account{}, fmt.Errorf("user %s: %w; `getent passwd` lists them, and a number needs no account", name,
			errNoUser)
	}
	return Account{uint32(n), name}, nil
}

var errNoUser = errors.New("no such user")
