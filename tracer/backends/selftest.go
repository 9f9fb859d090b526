package backends

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/output"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// settle is how long a recording goes on after the workload has ended, for disk
// requests that complete late.
const settle = 300 * time.Millisecond

// attempts is how often the workload is recorded until a disk request of it is
// seen. Some virtual machines hide those that complete at an unlucky moment
// (KNOWN_ISSUES.md), and the workload makes two of them, at one moment.
const attempts = 3

// SelfTest records the workload with a source that open makes, and compares. The
// workload's files are in a directory of its own below dir. An error means that
// nothing could be recorded; otherwise each check says whether something that
// the workload did arrived.
func SelfTest(open func() (tracer.Source, error), dir string) (checks []tracer.Check, err error) {
	for range attempts {
		checks, err = run(open, dir)
		if err != nil || sawRequests(checks) {
			break
		}
	}
	return checks, err
}

func sawRequests(checks []tracer.Check) bool {
	return slices.ContainsFunc(checks, func(c tracer.Check) bool { return c.Name == diskRequests && c.OK })
}

// run is one attempt.
func run(open func() (tracer.Source, error), dir string) ([]tracer.Check, error) {
	user, err := tracer.InvokingUser()
	if err != nil {
		return nil, err
	}
	dir, remove, err := output.TemporaryDirectory(dir, user.Identity())
	if err != nil {
		return nil, fmt.Errorf("making a directory for the self-test: %w", err)
	}
	defer remove()
	if dir, err = canonical(dir); err != nil {
		return nil, fmt.Errorf("making a directory for the self-test: %w", err)
	}
	exe, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding this program for the self-test: %w", err)
	}
	ours, theirs, err := host.ParentPair()
	if err != nil {
		return nil, err
	}
	defer ours.Close()
	fd, err := tracer.Inherit(theirs)
	if err != nil {
		return nil, err
	}
	work, err := tracer.Launch(tracer.Command{Args: []string{exe, argument, strconv.Itoa(fd), dir}, User: user})
	theirs.Close()
	if err != nil {
		return nil, err
	}
	defer work.Abandon()
	source, err := open()
	if err != nil {
		return nil, err
	}
	defer source.Close()
	if err := source.Attach(tracer.Scope{Launch: uint32(work.PID())}); err != nil {
		return nil, err
	}
	log, err := record(source, work)
	if err != nil {
		return nil, err
	}
	if code := work.ExitCode(); code != exitStatus {
		return nil, fmt.Errorf("running the self-test's workload in %s: it ended with status %d", dir, code)
	}
	return check(source, log, dir, uint32(work.PID())), nil
}

// canonical is a path as the kernel has it: from the root, without links.
func canonical(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

func record(source tracer.Source, work *tracer.Workload) (*trace.Log, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	log := &trace.Log{}
	done := make(chan error, 1)
	go func() { done <- source.Record(ctx, log) }()
	if err := work.Release(); err != nil {
		cancel()
		<-done // the source is closed next
		return nil, err
	}
	<-work.Exited()
	time.Sleep(settle)
	cancel()
	return log, <-done
}

// check compares what was recorded with what the workload did.
func check(source tracer.Source, log *trace.Log, dir string, pid uint32) []tracer.Check {
	limits := map[trace.LimitCode]bool{}
	for _, l := range source.Limits() {
		limits[l.Code] = true
	}
	paths := map[trace.FileID]string{}
	for _, f := range log.Files {
		paths[f.ID] = f.Path
	}
	used := make([]bool, len(log.Syscalls))
	var checks []tracer.Check
	for _, x := range expected {
		checks = append(checks, x.find(log, used, paths, limits, dir))
	}
	checks = append(checks, processes(log, pid), requests(log, pid, limits), wake(log, pid, limits))
	return append(checks, losses(source.Stats()))
}

// losses counts for calls alone: a busy machine may lose requests of others.
func losses(s tracer.Stats) tracer.Check {
	c := tracer.Check{Name: "losses", OK: s.Lost[trace.KindSyscall] == 0,
		Remedy: "try again with less going on; a larger --buffer helps too"}
	for _, k := range slices.Sorted(maps.Keys(s.Lost)) {
		if n := s.Lost[k]; n > 0 {
			c.Found += fmt.Sprintf("%d of kind %s, ", n, k)
		}
	}
	if c.Found = strings.TrimSuffix(c.Found, ", "); c.Found == "" {
		c.Found = "none"
	}
	return c
}

// find looks for the first call that is what was expected and not used yet.
func (x *expectation) find(log *trace.Log, used []bool, paths map[trace.FileID]string,
	limits map[trace.LimitCode]bool, dir string) tracer.Check {
	c := tracer.Check{Name: x.name, Required: true, Remedy: "please report this with the output of iotrace version"}
	if limits[x.needs] {
		c.OK, c.Found = true, "this backend does not show it"
		return c
	}
	near := ""
	for i := range log.Syscalls {
		e := &log.Syscalls[i]
		if used[i] || e.Op != x.op || paths[e.File] != filepath.Join(dir, x.path) {
			continue
		}
		wrong := x.differs(e, paths, limits, dir)
		if wrong == "" {
			used[i] = true
			c.OK, c.Found = true, "recorded"
			return c
		}
		if near == "" {
			near = wrong
		}
	}
	if c.Found = "not recorded"; near != "" {
		c.Found = "recorded, but " + near
	}
	return c
}

// differs says what is wrong with a call of the right kind on the right file.
func (x *expectation) differs(e *trace.Syscall, paths map[trace.FileID]string, limits map[trace.LimitCode]bool,
	dir string) string {
	switch {
	case x.op != trace.OpOpen && x.op != trace.OpMmap && e.Result != x.result:
		return fmt.Sprintf("with result %d instead of %d", e.Result, x.result)
	case x.op == trace.OpOpen && e.Result < 0:
		return fmt.Sprintf("with error %d", -e.Result)
	case x.offset != trace.NoOffset && e.Offset != x.offset:
		return fmt.Sprintf("at offset %d instead of %d", e.Offset, x.offset)
	case e.Requested != x.requested && !limits[trace.LimitNoRequested]:
		return fmt.Sprintf("asking for %d bytes instead of %d", e.Requested, x.requested)
	case x.path2 != "" && paths[e.File2] != filepath.Join(dir, x.path2) && !limits[trace.LimitNoPaths]:
		return fmt.Sprintf("to %q instead of %q", paths[e.File2], filepath.Join(dir, x.path2))
	case e.Duration < 0 || e.Start < 0:
		return fmt.Sprintf("from %d ns for %d ns", e.Start, e.Duration)
	}
	return ""
}

func processes(log *trace.Log, pid uint32) tracer.Check {
	c := tracer.Check{Name: "exec and exit", Found: "exec or exit was not recorded"}
	exec, exit := false, false
	for _, p := range log.Processes {
		exec = exec || p.PID == pid && p.Action == trace.ProcessExec
		exit = exit || p.PID == pid && p.Action == trace.ProcessExit && p.Status == exitStatus<<8
	}
	if exec && exit {
		c.OK, c.Found = true, "recorded"
	}
	return c
}

const diskRequests = "disk requests"

func requests(log *trace.Log, pid uint32, limits map[trace.LimitCode]bool) tracer.Check {
	c := tracer.Check{Name: diskRequests, Found: "none of the workload's was recorded",
		Remedy: "normal if the directory is in memory or on a network volume; otherwise please report it"}
	if limits[trace.LimitNoRequests] {
		c.OK, c.Found = true, "this backend does not show them"
		return c
	}
	n := 0
	for _, q := range log.Requests {
		if q.PID == pid || q.Owner == pid || q.File != 0 {
			n++
		}
	}
	if n > 0 {
		c.OK, c.Found = true, fmt.Sprintf("%d recorded, %d of all processes", n, len(log.Requests))
	}
	return c
}

// wake looks for what ended a pause of the workload. A thread that takes longer to get a processor has waited longer.
func wake(log *trace.Log, pid uint32, limits map[trace.LimitCode]bool) tracer.Check {
	c := tracer.Check{Name: "what ends a wait", Found: "that a timer ended the workload's pause was not recorded"}
	if limits[trace.LimitNoWaits] || limits[trace.LimitNoWakers] {
		c.OK, c.Found = true, "this backend does not show it"
		return c
	}
	var longest int64
	for _, w := range log.Waits {
		if w.PID == pid && w.By == trace.WokenByTimer {
			longest = max(longest, w.Woken()-w.Start)
		}
	}
	if longest == 0 {
		return c
	}
	c.OK, c.Found = longest >= int64(pause)*9/10, fmt.Sprintf("a timer, after %.1f ms", float64(longest)/1e6)
	return c
}
