// Package processors tells what the processors of the machine did while something was recorded: how long they were
// busy, idle, or given to others by the host of a virtual machine, and how long quotas kept the recorded processes from
// them. If a program was ready and did not run, one of these is why.
package processors

import (
	"time"

	"github.com/iotrace/iotrace/trace"
)

// The control groups of the recorded processes are asked for often at first, when a command joins its own, and then as
// rarely as can be borne: what a quota took from a process that moved into a group since is missed for so long.
const (
	lookAtFirst = 100 * time.Millisecond
	lookLater   = time.Second
)

// Account counts from Open to Close.
type Account struct {
	before trace.Processors
	groups *groups
	stop   chan struct{}
	done   chan struct{}
}

// Open begins to count. running names the recorded processes that run; it is called from a goroutine.
func Open(running func() []uint32) *Account {
	a := &Account{groups: newGroups(), stop: make(chan struct{}), done: make(chan struct{})}
	a.before, _ = now()
	go a.look(running)
	return a
}

func (a *Account) look(running func() []uint32) {
	defer close(a.done)
	t := time.NewTicker(lookAtFirst)
	defer t.Stop()
	for looks := time.Duration(1); ; looks++ {
		for _, pid := range running() {
			a.groups.joined(pid)
		}
		a.groups.look()
		if looks == lookLater/lookAtFirst {
			t.Reset(lookLater)
		}
		select {
		case <-a.stop:
			return
		case <-t.C:
		}
	}
}

// Close ends the count and returns it, nil where the system does not tell.
func (a *Account) Close() *trace.Processors {
	close(a.stop)
	<-a.done
	p, ok := now()
	if !ok {
		return nil
	}
	p.Busy, p.Idle, p.Stolen = since(p.Busy, a.before.Busy), since(p.Idle, a.before.Idle), since(p.Stolen, a.before.Stolen)
	p.Held = a.groups.throttled()
	return &p
}

// since is a difference of counts; the kernel's may go back a little (proc(5), of iowait).
func since(after, before int64) int64 { return max(after-before, 0) }
