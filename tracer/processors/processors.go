// Package processors tells what the processors of the machine did while something was recorded: how long they were
// busy, idle, or given to others by the host of a virtual machine. If a program was ready and did not run, one of these
// may be why.
package processors

import "github.com/iotrace/iotrace/trace"

// Account counts from Open to Close.
type Account struct{ before trace.Processors }

// Open begins to count.
func Open() Account {
	before, _ := now()
	return Account{before}
}

// Close ends the count and returns it, nil where the system does not tell.
func (a Account) Close() *trace.Processors {
	p, ok := now()
	if !ok {
		return nil
	}
	p.Busy, p.Idle, p.Stolen = since(p.Busy, a.before.Busy), since(p.Idle, a.before.Idle), since(p.Stolen, a.before.Stolen)
	return &p
}

// since is a difference of counts; the kernel's may go back a little (proc(5), of iowait).
func since(after, before int64) int64 { return max(after-before, 0) }
