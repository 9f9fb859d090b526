//go:build linux

package strace

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/linux"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/machine"
)

const (
	attachTimeout = 30 * time.Second
	// attempts is how often a held process is tried: until it has allowed to be traced, it may not be.
	attempts   = 20
	tryAgainIn = 50 * time.Millisecond
)

// Attach implements tracer.Source.
func (s *Source) Attach(scope tracer.Scope) (err error) {
	if err := scope.Unsupported(); err != nil {
		return fmt.Errorf("recording through strace: %w", err)
	}
	if scope.All {
		return fmt.Errorf("recording through strace: %w: strace traces processes one by one, not all", tracer.ErrUnsupported)
	}
	if s.version, err = versionOf(s.program); err != nil {
		return err
	}
	targets := s.targets(scope)
	if len(targets) == 0 {
		return fmt.Errorf("recording through strace: %w: no process is named %q, and strace does not wait for one",
			tracer.ErrUnsupported, scope.Names)
	}
	s.scope = scope
	for n := 1; ; n++ {
		if err = s.start(targets); err == nil {
			break
		}
		if scope.Launch == 0 || n == attempts || !errors.Is(err, tracer.ErrPermission) {
			return fmt.Errorf("recording through strace: %w", err)
		}
		time.Sleep(tryAgainIn)
	}
	s.begin = time.Now().UnixNano()
	s.sys = machine.Remember(machine.Live(), targets...)
	s.leaders = map[uint32]uint32{}
	for _, pid := range targets {
		for _, tid := range s.sys.Threads(pid) {
			s.leaders[uint32(tid)] = pid
		}
	}
	return nil
}

// targets are the processes to trace: those chosen, and what they have started before.
func (s *Source) targets(scope tracer.Scope) (list []uint32) {
	set := machine.Chosen(s.sys, scope.PIDs, scope.Names)
	if scope.Launch != 0 {
		set[scope.Launch] = true
	}
	delete(set, uint32(os.Getpid())) // which reads what strace writes
	for pid := range set {
		list = append(list, pid)
	}
	return list
}

// arguments are those of strace, but for the processes. The filter in the kernel that --seccomp-bpf sets up is not
// used: strace cannot set it up in a process that is there already, and where strace is no more, killed or having let
// go, it refuses the calls of all that the command started, or has them killed (from 6.6 on). ARCHITECTURE.md has more.
func arguments(v version) []string {
	list := []string{"-f", "-y", "-s", "64", "-o", "/proc/self/fd/3", "-e", "trace=" + traced(v)}
	if v.atLeast(5, 7) {
		return append(list, "--absolute-timestamps=format:unix,precision:ns", "--syscall-times=ns")
	}
	return append(list, "-ttt", "-T")
}

// traced are the calls of a trace and those that make processes. An older strace does not know all of them, and from
// 4.17 on lets names pass that it does not know.
func traced(v version) string {
	if !v.atLeast(4, 17) {
		return "desc,file,process"
	}
	list := []string{"?execve", "?execveat"}
	for i := range linux.Calls {
		list = append(list, "?"+linux.Calls[i].Name)
	}
	return strings.Join(list, ",")
}

// start starts strace and waits until it has attached.
func (s *Source) start(targets []uint32) error {
	args := arguments(s.version)
	for _, pid := range targets {
		args = append(args, "-p", strconv.FormatUint(uint64(pid), 10))
	}
	lines, out, err := os.Pipe()
	if err != nil {
		return err
	}
	defer out.Close()
	_, _ = unix.FcntlInt(out.Fd(), unix.F_SETPIPE_SZ, pipeSize) // a user may have used up what he may have
	c := exec.Command(s.program, args...)
	c.ExtraFiles = []*os.File{out}
	c.Env = append(os.Environ(), "LC_ALL=C")
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: detachSignal} // Ctrl-C is for the workload and for us
	said, err := c.StderrPipe()
	if err == nil {
		s.ended = make(chan struct{})
		err = startFor(c, s.ended)
	}
	if err != nil {
		lines.Close()
		return fmt.Errorf("starting strace: %w", err)
	}
	s.command, s.lines, s.said = c, lines, make(chan string, 1024)
	go s.listen(said)
	if err := s.attached(targets); err != nil {
		return errors.Join(err, s.Close())
	}
	return nil
}

// startFor starts a program that gets its signal when this one is killed. The kernel sends it when the thread ends that
// started the program, so that thread is kept until the program has ended.
func startFor(c *exec.Cmd, ended <-chan struct{}) error {
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := c.Start()
		if started <- err; err == nil {
			<-ended
		}
	}()
	return <-started
}

var (
	attachedLine = regexp.MustCompile(`Process (\d+) attached`)
	comesOrGoes  = regexp.MustCompile(`Process \d+ (at|de)tached`)
	refusedLine  = regexp.MustCompile(`attach: ptrace\([^)]*?(\d+)[^)]*\): (.*)`)
)

// attached waits for strace to say of each process that it has it.
func (s *Source) attached(targets []uint32) error {
	missing := map[string]bool{}
	for _, pid := range targets {
		missing[strconv.FormatUint(uint64(pid), 10)] = true
	}
	timeout := time.After(attachTimeout)
	for len(missing) > 0 {
		select {
		case line, open := <-s.said:
			if !open {
				return fmt.Errorf("%w: strace has ended without a word", tracer.ErrUnsupported)
			}
			if m := attachedLine.FindStringSubmatch(line); m != nil {
				delete(missing, m[1])
			} else if m := refusedLine.FindStringSubmatch(line); m != nil && m[2] == "No such process" && len(targets) > 1 {
				delete(missing, m[1]) // it has ended
			} else if strings.HasPrefix(line, "strace:") || strings.HasPrefix(line, s.program+":") {
				return explain(line)
			}
		case <-timeout:
			return fmt.Errorf("%w: strace did not attach within %v", tracer.ErrUnsupported, attachTimeout)
		}
	}
	return nil
}

// explain says what to do about what strace said.
func explain(said string) error {
	_, what, _ := strings.Cut(said, ": ")
	if strings.Contains(said, "Operation not permitted") {
		return fmt.Errorf("%w: %s; it is another user's, has another tracer, or the system lets nobody trace: "+
			"/proc/sys/kernel/yama/ptrace_scope says so with 2 or 3, containers by their seccomp profile",
			tracer.ErrPermission, what)
	}
	return fmt.Errorf("%w: %s", tracer.ErrUnsupported, what)
}

// leader is the process of a thread, 0 if it has ended and was not there when the recording began.
func (s *Source) leader(tid uint32) uint32 {
	if pid := s.leaders[tid]; pid != 0 {
		return pid
	}
	f, err := os.Open("/proc/" + strconv.FormatUint(uint64(tid), 10) + "/status")
	if err != nil {
		return 0
	}
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if value, ok := strings.CutPrefix(sc.Text(), "Tgid:"); ok {
			n, _ := strconv.ParseUint(strings.TrimSpace(value), 10, 32)
			return uint32(n)
		}
	}
	return 0
}
