//go:build linux

// Package strace records on Linux through strace(1), which needs no privilege to trace what its user may. It sees the
// same calls as eBPF, at the cost of two stops of the thread for each. It is a package of its own, as every recorder
// is: none knows another.
package strace

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/strace"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/machine"
)

const (
	// endTimeout is how long strace may take to let go of what it traces.
	endTimeout = 10 * time.Second
	// pipeSize is asked for, so that strace seldom waits for its reader: the most that a user may have without rights.
	pipeSize = 1 << 20
	// detachSignal makes strace let go of all processes, which go on, and end.
	detachSignal = syscall.SIGTERM
)

// Source is a tracer.Source that runs strace.
type Source struct {
	program string
	version version
	sys     machine.System
	scope   tracer.Scope

	command *exec.Cmd
	lines   *os.File
	said    chan string       // standard error of strace, line by line; closed at its end
	ended   chan struct{}     // closed when strace has
	begin   int64             // wall clock at time 0, ns since 1970
	leaders map[uint32]uint32 // threads that were there then, by number: their processes

	mu      sync.Mutex // of what follows
	reader  *strace.Reader
	pending *pending
	used    *used
	stats   tracer.Stats
}

// New looks for strace. It starts nothing yet.
func New() (*Source, error) {
	path, err := exec.LookPath("strace")
	if err != nil {
		return nil, fmt.Errorf("recording through strace: %w: it is not installed; %s", tracer.ErrUnsupported, install)
	}
	return &Source{program: path, sys: machine.Live()}, nil
}

const install = "the package of every distribution is named strace (apt install strace, dnf install strace)"

// Name implements tracer.Source.
func (s *Source) Name() string { return "strace" }

// Calls implements tracer.Source.
func (s *Source) Calls() []string { return strace.Importer.Header.Calls }

// Limits implements tracer.Source: those of every log of strace.
func (s *Source) Limits() []trace.Limit { return strace.Importer.Header.Limits }

// Now implements tracer.Source: strace tells the time of the wall clock.
func (s *Source) Now() int64 { return time.Now().UnixNano() - s.begin }

// Record implements tracer.Source.
func (s *Source) Record(ctx context.Context, sink trace.Sink) error {
	devices := s.sys.Devices()
	if err := tracer.SendDevices(sink, devices); err != nil {
		return err
	}
	program := s.command.Process
	stop := context.AfterFunc(ctx, func() { end(program) })
	defer stop()
	counts, err := convert.Checked(s.read)(s.lines, sink)
	if err != nil {
		return err
	}
	failed := s.wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if counts.Damaged > 0 {
		s.stats.Lost = map[trace.Kind]uint64{trace.KindSyscall: counts.Damaged}
		lost := trace.Lost{To: s.Now(), Count: counts.Damaged, Kind: trace.KindSyscall, CPU: -1}
		if err := sink.Lost(&lost); err != nil {
			return err
		}
	}
	if failed != nil && ctx.Err() == nil {
		return fmt.Errorf("strace ended while recording: %w", failed)
	}
	return nil
}

// read reads what strace writes until it ends.
func (s *Source) read(in io.Reader, sink trace.Sink) (convert.Counts, error) {
	s.mu.Lock()
	s.used = &used{Sink: sink}
	s.pending = &pending{Sink: s.used, pid: s.scope.Launch}
	s.reader = strace.NewReader(s.pending, &strace.Live{Machine: s.sys, Begin: s.begin, Leader: s.leader})
	s.mu.Unlock()
	err := convert.Lines(in, func(line []byte) error {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.reader.Line(line)
	}, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.reader.Long()
	})
	return s.reader.Counts(), err
}

// wait waits for strace to have ended, and keeps what it cost.
func (s *Source) wait() error {
	last := ""
	for line := range s.said { // to the end of its messages
		if !comesOrGoes.MatchString(line) {
			last = line
		}
	}
	err := s.command.Wait()
	if err != nil && last != "" {
		err = fmt.Errorf("%w: it said %q", err, last)
	}
	close(s.ended)
	state := s.command.ProcessState
	s.command = nil
	s.lines.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stats.Cost.ProbeCPU = int64(state.UserTime() + state.SystemTime())
	if s.reader != nil {
		s.stats.Cost.ProbeRuns = 2 * s.reader.Calls() // one when it begins, one when it returns
	}
	if state.Exited() && state.ExitCode() == 0 || state.Sys().(syscall.WaitStatus).Signal() == detachSignal {
		return nil
	}
	return err
}

// end has strace let go; if it does not, the kernel does when strace is no more.
func end(strace *os.Process) {
	_ = strace.Signal(detachSignal)
	time.AfterFunc(endTimeout, func() { _ = strace.Kill() })
}

// Written implements tracer.Source.
func (s *Source) Written() []trace.File {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reader == nil {
		return nil
	}
	return s.reader.Files().Written()
}

// Used implements tracer.FileLister.
func (s *Source) Used() []tracer.UsedFile {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.used == nil {
		return nil
	}
	return s.used.list(s.reader.Files())
}

// Stats implements tracer.Source.
func (s *Source) Stats() tracer.Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.stats
	st.Cost.BufferSize = pipeSize
	return st
}

// Notes implements tracer.Noter.
func (s *Source) Notes() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reader == nil || s.reader.Calls() == 0 {
		return nil
	}
	list := []string{fmt.Sprintf("strace stopped the recorded threads twice for each of %d calls, and took %s of CPU "+
		"time for it: calls, and the time between them, took longer than without it, and where they are many and short, "+
		"several times as long.", s.reader.Calls(), unit.Nanoseconds(s.stats.Cost.ProbeCPU))}
	if len(s.pending.powerless) > 0 {
		list = append(list, fmt.Sprintf("While a user traces them, programs run without the rights that they take from "+
			"their owner (setuid): %s. To record them as they are, record as root.", strings.Join(s.pending.powerless, ", ")))
	}
	return list
}

// Close implements tracer.Source.
func (s *Source) Close() error {
	if s.command == nil {
		return nil
	}
	end(s.command.Process)
	_, _ = io.Copy(io.Discard, s.lines)
	_ = s.wait() // ended by us
	return nil
}

// listen passes on what strace says. While it records nobody reads that; of many lines the last ones are kept, which
// say why it ends.
func (s *Source) listen(r io.ReadCloser) {
	defer close(s.said)
	for sc := bufio.NewScanner(r); sc.Scan(); {
		for kept := false; !kept; {
			select {
			case s.said <- sc.Text():
				kept = true
			default:
				select {
				case <-s.said:
				default:
				}
			}
		}
	}
	_ = errors.Join(r.Close())
}
