package top

import (
	"fmt"
	"os/user"
	"strconv"

	"github.com/iotrace/iotrace/analyzer/live"
)

// kernelKey is the number under which what the kernel does stands among users; no user has it (setuid refuses it).
const kernelKey = 1<<32 - 1

// userOf is the user whom a process counts for.
func userOf(p *live.Process) uint32 {
	if p.Kernel {
		return kernelKey
	}
	return p.UID
}

// byUser adds up the processes of each user, in the order in which the first of them comes. A user waits for as long as
// the process that waits longest.
func byUser(list []live.Process, name func(uid uint32) string) (users []live.Process) {
	index := map[uint32]int{}
	for _, p := range list {
		key := userOf(&p)
		at, ok := index[key]
		if !ok {
			at = len(users)
			index[key] = at
			users = append(users, live.Process{Key: key, UID: p.UID, Kernel: p.Kernel, Command: name(key)})
		}
		u := &users[at]
		u.Calls, u.Device = add(u.Calls, p.Calls), add(u.Device, p.Device)
		u.Requests, u.DataCalls, u.Syncs = u.Requests+p.Requests, u.DataCalls+p.DataCalls, u.Syncs+p.Syncs
		u.Wait = max(u.Wait, p.Wait)
	}
	for i := range users {
		if u := &users[i]; u.DataCalls > 0 {
			u.Block = u.Calls.Total() / u.DataCalls
		}
	}
	return users
}

func add(a, b live.Amount) live.Amount {
	return live.Amount{Read: a.Read + b.Read, Write: a.Write + b.Write}
}

// names are those of users, as the system has them.
type names map[uint32]string

func (n names) of(uid uint32) string {
	if uid == kernelKey {
		return "kernel"
	}
	if _, known := n[uid]; !known {
		n[uid] = fmt.Sprintf("user %d", uid)
		if u, err := user.LookupId(strconv.FormatUint(uint64(uid), 10)); err == nil {
			n[uid] = u.Username
		}
	}
	return n[uid]
}
