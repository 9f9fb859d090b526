package fsusage

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/machine"
)

// Program is where macOS has fs_usage.
const Program = "/usr/bin/fs_usage"

// Source is a tracer.Source that reads the output of fs_usage.
type Source struct {
	program string
	sys     machine.System
	self    uint32
	model   macos.Model

	command *exec.Cmd
	lines   *bufio.Reader
	errors  chan string // what it said on standard error, line by line
	begun   time.Time
	start   int64 // time of day of time 0
	procs   *processes

	mu      sync.Mutex // of what follows
	decoder *Decoder
	lost    uint64
}

// New returns a source that runs fs_usage on a kind of Mac. It starts nothing yet.
func New(model macos.Model) (*Source, error) {
	if _, err := os.Stat(Program); err != nil {
		return nil, fmt.Errorf("recording through fs_usage: %w: %w; it comes with macOS only", tracer.ErrUnsupported, err)
	}
	return newSource(Program, machine.Live(), uint32(os.Getpid()), model), nil
}

func newSource(program string, sys machine.System, self uint32, model macos.Model) *Source {
	return &Source{program: program, sys: sys, self: self, model: model}
}

// Name implements tracer.Source.
func (s *Source) Name() string { return "fs_usage" }

// Calls implements tracer.Source.
func (s *Source) Calls() []string { return Names() }

// Now implements tracer.Source.
func (s *Source) Now() int64 { return time.Since(s.begun).Nanoseconds() }

// arguments are those of fs_usage: wide lines of file system calls and disk
// requests. -f is repeated because it takes no list. A list of processes keeps
// out their descendants, so that there is one only where nothing is launched;
// our own process is then in it, because it makes the marks that show where the
// output has got to.
func arguments(scope tracer.Scope, self uint32) []string {
	args := []string{"-w", "-f", "filesys", "-f", "diskio"}
	if scope.Launch != 0 || scope.All {
		return args
	}
	for _, pid := range scope.PIDs {
		args = append(args, strconv.Itoa(int(pid)))
	}
	args = append(args, scope.Names...)
	return append(args, strconv.Itoa(int(self)))
}

// Attach implements tracer.Source.
func (s *Source) Attach(scope tracer.Scope) error {
	if err := scope.Unsupported(); err != nil {
		return err
	}
	s.procs = newProcesses(s.sys, scope, s.self)
	c := exec.Command(s.program, arguments(scope, s.self)...)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C is for the workload and for us
	out, err := c.StdoutPipe()
	if err != nil {
		return fmt.Errorf("starting fs_usage: %w", err)
	}
	messages, err := c.StderrPipe()
	if err != nil {
		return fmt.Errorf("starting fs_usage: %w", err)
	}
	if err := c.Start(); err != nil {
		return fmt.Errorf("starting fs_usage: %w", err)
	}
	s.command, s.errors = c, make(chan string, 64)
	go s.listen(messages)
	s.lines = bufio.NewReaderSize(out, 1<<20)
	if err := s.awaitMark(s.mark("begin"), attachTimeout); err != nil {
		return errors.Join(err, s.Close())
	}
	now := time.Now()
	s.begun, s.start = now, timeOfDay(now)
	s.sys = machine.Remember(s.sys, s.procs.recorded()...)
	return nil
}

const attachTimeout = 15 * time.Second

func timeOfDay(t time.Time) int64 {
	return int64(t.Hour())*3600e9 + int64(t.Minute())*60e9 + int64(t.Second())*1e9 + int64(t.Nanosecond())
}

// mark is a path that does not exist. Looking for it prints a line.
func (s *Source) mark(what string) string {
	return filepath.Join(os.TempDir(), fmt.Sprintf("iotrace-%s-%d", what, s.self))
}

// awaitMark looks for a mark until its line arrives: fs_usage says nothing when
// it begins to trace. What comes before is not of the recording.
func (s *Source) awaitMark(mark string, timeout time.Duration) error {
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		for {
			_, _ = os.Lstat(mark)
			select {
			case <-stop:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	found := make(chan error, 1)
	go func() {
		for {
			line, err := s.lines.ReadString('\n')
			if strings.Contains(line, filepath.Base(mark)) {
				found <- nil
				return
			}
			if err != nil {
				found <- err
				return
			}
		}
	}()
	select {
	case err := <-found:
		if err == nil {
			return nil
		}
	case <-time.After(timeout):
	}
	_ = s.command.Process.Kill()
	return s.explain()
}

// explain says why fs_usage printed nothing, from what it said.
func (s *Source) explain() error {
	var said []string
	for m := range s.errors {
		said = append(said, m)
	}
	text := strings.Join(said, "; ")
	if k, ok := macos.Explain(text); ok {
		return fmt.Errorf("starting fs_usage: %w: %s", tracer.Cause(k.Denied), k.Text(text))
	}
	if text == "" {
		text = "it printed nothing at all"
	}
	return fmt.Errorf("starting fs_usage: %w: %s", tracer.ErrUnsupported, text)
}

// listen passes on what fs_usage says. The channel is closed when it ends.
func (s *Source) listen(r io.Reader) {
	defer close(s.errors)
	sc := bufio.NewScanner(r)
	for sc.Scan() {
		select {
		case s.errors <- sc.Text():
		default: // nobody listens: it repeats itself
		}
	}
}

// Record implements tracer.Source.
func (s *Source) Record(ctx context.Context, sink trace.Sink) error {
	devices := s.sys.Devices()
	if err := tracer.SendDevices(sink, devices); err != nil {
		return err
	}
	s.mu.Lock()
	s.decoder = NewDecoder(Config{Start: s.start, Process: s.procs.of, Identify: s.sys.Identify, Devices: devices,
		Model: s.model}, sink)
	err := s.inherit()
	s.mu.Unlock()
	if err != nil {
		return err
	}
	if err := s.procs.announce(sink, 0, true); err != nil {
		return err
	}
	end := s.mark("end")
	program := s.command.Process
	stop := context.AfterFunc(ctx, func() { finish(end, program) })
	defer stop()
	return s.read(sink, end)
}

// inherit asks what the processes had open.
func (s *Source) inherit() error {
	for _, pid := range s.procs.recorded() {
		if p, ok := s.sys.Inspect(pid); ok {
			if err := p.Inherit(s.decoder.FDs(), s.decoder.Files(), 0); err != nil {
				return err
			}
		}
	}
	return nil
}

// finish makes the mark that ends the output, and ends fs_usage if it does not
// get there.
func finish(mark string, program *os.Process) {
	_, _ = os.Lstat(mark)
	time.AfterFunc(endTimeout, func() { _ = program.Signal(syscall.SIGINT) })
}

const endTimeout = 3 * time.Second

func (s *Source) read(sink trace.Sink, end string) error {
	for {
		line, err := s.lines.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			continue // no line is that long
		}
		if len(line) > 0 {
			if strings.Contains(string(line), filepath.Base(end)) {
				return s.stop()
			}
			if err := s.line(line, sink); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return s.ended()
		}
		if err != nil {
			return fmt.Errorf("reading from fs_usage: %w", err)
		}
	}
}

func (s *Source) line(line []byte, sink trace.Sink) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.messages(); err != nil {
		return err
	}
	if err := s.decoder.Line(line[:len(line)-1]); err != nil {
		return err
	}
	return s.procs.announce(sink, s.Now(), false)
}

// messages takes what fs_usage has said meanwhile.
func (s *Source) messages() error {
	for {
		select {
		case m, open := <-s.errors:
			if !open {
				return nil
			}
			if err := s.message(m); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

func (s *Source) message(m string) error {
	if !strings.Contains(m, "buffer overrun") {
		return nil
	}
	s.lost++
	now := s.Now()
	return s.decoder.Lost(max(now-int64(time.Second), 0), now)
}

// stop ends fs_usage and takes the last of what it said.
func (s *Source) stop() error {
	program := s.command.Process
	_ = program.Signal(syscall.SIGINT)
	killed := time.AfterFunc(endTimeout, func() { _ = program.Kill() })
	defer killed.Stop()
	_, _ = io.Copy(io.Discard, s.lines)
	s.mu.Lock()
	defer s.mu.Unlock()
	for m := range s.errors {
		if err := s.message(m); err != nil {
			return err
		}
	}
	_ = s.command.Wait() // ended by us
	s.command = nil
	return nil
}

// ended is called when the output ends before its mark.
func (s *Source) ended() error {
	err := s.command.Wait()
	s.command = nil
	if err == nil {
		return nil
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGINT {
		return nil
	}
	return fmt.Errorf("fs_usage ended while recording: %w", err)
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
	if s.decoder != nil {
		if n := s.lost + s.decoder.Counts().Damaged; n > 0 {
			st.Lost[trace.KindSyscall] = n
		}
	}
	return st
}

// Limits implements tracer.Source.
func (s *Source) Limits() []trace.Limit { return Limits(s.model) }

// Close implements tracer.Source.
func (s *Source) Close() error {
	if s.command == nil {
		return nil
	}
	_ = s.command.Process.Signal(syscall.SIGINT)
	program := s.command.Process
	killed := time.AfterFunc(endTimeout, func() { _ = program.Kill() })
	defer killed.Stop()
	_, _ = io.Copy(io.Discard, s.lines)
	for range s.errors { // nobody reads them any more
	}
	_ = s.command.Wait() // ended by us
	s.command = nil
	return nil
}
