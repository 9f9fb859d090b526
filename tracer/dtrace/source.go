package dtrace

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"

	"github.com/iotrace/iotrace/tracer/machine"
)

// Options configure a Source.
type Options struct {
	// Program is dtrace; found in PATH if empty.
	Program string
	// Buffer is the size of DTrace's buffer for each CPU in bytes. 0 means
	// DefaultBuffer.
	Buffer int
	// Without leaves out capabilities that are there.
	Without Capability
}

// defaultBuffer is the size of DTrace's buffer for each CPU, about 100,000
// lines. It is emptied ten times a second.
const defaultBuffer = 16 << 20

// How long dtrace may take to put its probes in place, and to remove them. On
// Linux each takes about 50 ms.
const (
	attachTimeout = 3 * time.Minute
	endTimeout    = 2 * time.Minute
	markEvery     = 5 * time.Millisecond
)

// endSignal makes dtrace run its END clause and leave. SIGINT would as well, but
// not where it is ignored, as in what a script starts with &: dtrace leaves it so.
const endSignal = syscall.SIGTERM

// Source is a tracer.Source that runs dtrace.
type Source struct {
	options  Options
	platform Platform
	sys      machine.System
	self     uint32

	able     Capability
	scope    tracer.Scope
	command  *exec.Cmd
	lines    *bufio.Reader
	messages chan string // standard error, line by line; closed at its end
	wall     int64       // wall clock at time 0, ns since 1970
	base     int64       // DTrace's clock at time 0
	early    []Record    // ticks before that

	mu      sync.Mutex // of what follows
	decoder *decoder
}

// New returns a source that runs dtrace. It starts nothing yet.
func New(o Options) (*Source, error) {
	if runtime.GOOS != string(Darwin) && runtime.GOOS != string(Linux) {
		return nil, fmt.Errorf("recording through dtrace: %w: the scripts are for macOS and Linux", tracer.ErrUnsupported)
	}
	if o.Program == "" {
		path, err := exec.LookPath("dtrace")
		if err != nil {
			return nil, fmt.Errorf("recording through dtrace: %w: %w; macOS has it in /usr/sbin, Linux distributions in a "+
				"package named dtrace", tracer.ErrUnsupported, err)
		}
		o.Program = path
	}
	if o.Buffer <= 0 {
		o.Buffer = defaultBuffer
	}
	return &Source{options: o, platform: Platform(runtime.GOOS), sys: machine.Live(), self: uint32(os.Getpid())}, nil
}

// Name implements tracer.Source.
func (s *Source) Name() string { return "dtrace" }

// Calls implements tracer.Source.
func (s *Source) Calls() []string { return probeNames(s.platform) }

// Now implements tracer.Source. DTrace prints its clock together with the wall
// clock when it begins, which ties the two.
func (s *Source) Now() int64 { return time.Now().UnixNano() - s.wall }

// Record implements tracer.Source.
func (s *Source) Record(ctx context.Context, sink trace.Sink) error {
	devices := s.sys.Devices()
	if err := tracer.SendDevices(sink, devices); err != nil {
		return err
	}
	s.mu.Lock()
	s.decoder = newDecoder(config{Platform: s.platform, Scope: s.scope, CPUs: host.CPUs(), Self: s.self, Machine: s.sys,
		Now: s.Now, Devices: devices}, sink)
	err := s.decoder.Begin(s.base)
	for i := range s.early {
		err = errors.Join(err, s.decoder.losses.tick(&s.early[i]))
	}
	s.mu.Unlock()
	if err != nil {
		return err
	}
	program := s.command.Process
	stop := context.AfterFunc(ctx, func() {
		_ = program.Signal(endSignal)
		time.AfterFunc(endTimeout, func() { _ = program.Kill() })
	})
	defer stop()
	if err := s.read(); err != nil {
		return err
	}
	err = s.command.Wait()
	s.command = nil
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("dtrace ended while recording: %w", err)
	}
	return nil
}

// read takes lines and messages until dtrace ends.
func (s *Source) read() error {
	for {
		line, err := s.lines.ReadSlice('\n')
		if len(line) > 1 && err == nil {
			if err := s.line(string(line[:len(line)-1])); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return s.rest()
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return fmt.Errorf("reading from dtrace: %w", err)
		}
	}
}

func (s *Source) line(line string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		select {
		case m, open := <-s.messages:
			if !open {
				return s.decoder.Line(line)
			}
			if err := s.message(m); err != nil {
				return err
			}
		default:
			return s.decoder.Line(line)
		}
	}
}

// rest takes the last messages and what the decoder still holds.
func (s *Source) rest() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for m := range s.messages {
		if err := s.message(m); err != nil {
			return err
		}
	}
	return s.decoder.Flush()
}

func (s *Source) message(m string) error {
	if l, ok := parseLoss(m); ok {
		return s.decoder.Lost(l, s.Now())
	}
	if k, ok := macos.Explain(m); ok && k.Code == "unresponsive" {
		return fmt.Errorf("recording through dtrace: %w", explain(m))
	}
	return nil // a text of a call could not be read, a notice
}

// Written implements tracer.Source.
func (s *Source) Written() []trace.File {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.decoder == nil {
		return nil
	}
	return s.decoder.Files().Written()
}

// Stats implements tracer.Source.
func (s *Source) Stats() tracer.Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := tracer.Stats{Lost: map[trace.Kind]uint64{}}
	st.Cost.BufferSize = int64(s.options.Buffer) * int64(host.CPUs())
	if s.decoder != nil {
		maps.Copy(st.Lost, s.decoder.Counts().Lost)
		if n := s.decoder.Counts().Damaged; n > 0 {
			st.Lost[trace.KindSyscall] += n
		}
	}
	return st
}

// Close implements tracer.Source.
func (s *Source) Close() error {
	if s.command == nil {
		return nil
	}
	_ = s.command.Process.Signal(endSignal)
	killed := time.AfterFunc(endTimeout, func() { _ = s.command.Process.Kill() })
	defer killed.Stop()
	_, _ = io.Copy(io.Discard, s.lines)
	for range s.messages { // nobody reads them any more
	}
	_ = s.command.Wait() // ended by us
	s.command = nil
	return nil
}

// Limits implements tracer.Source.
func (s *Source) Limits() []trace.Limit {
	limits := []trace.Limit{
		{Code: trace.LimitNoFaults,
			Text: "Reading and writing of mapped files is not seen, only the disk requests it causes."},
		trace.LimitNoWaits.Limit(),
		trace.LimitNoFill.Limit(),
		trace.LimitNoAsync.Limit(),
	}
	if !s.able.Proc {
		limits = append(limits, trace.Limit{Code: trace.LimitNoProcesses,
			Text: "The proc provider is hidden or missing: a child is followed from its first call on, " +
				"if its parent still lives then."})
	}
	switch {
	case !s.able.IO:
		limits = append(limits, trace.Limit{Code: trace.LimitNoRequests, Text: "Disk requests are not seen: the io " +
			"provider is hidden or missing; on macOS --backend kdebug shows them."})
	case s.platform == Linux:
		limits = append(limits, trace.Limit{Code: trace.LimitNoQueue,
			Text: "Disk requests are those before merging and splitting, without their file, and some ends are " +
				"not seen; the ebpf backend shows those at the device."})
	}
	return limits
}
