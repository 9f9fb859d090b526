package dtrace

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/tracer"

	"github.com/iotrace/iotrace/tracer/machine"
)

// Attach implements tracer.Source.
func (s *Source) Attach(scope tracer.Scope) error {
	if err := scope.Unsupported(); err != nil {
		return err
	}
	able, err := s.capability()
	if err != nil {
		return err
	}
	s.able, s.scope = able, s.descendants(scope)
	script := Script(Parameters{Platform: s.platform, Capability: able, Scope: s.scope, Recorder: s.self,
		BufferKiB: max(s.options.Buffer>>10, 4), CPUs: host.CPUs()})
	if err := s.start(script); err != nil {
		return fmt.Errorf("starting dtrace: %w", err)
	}
	if err := s.begun(); err != nil {
		return errors.Join(err, s.Close())
	}
	s.sys = machine.Remember(s.sys, append(slices.Clone(s.scope.PIDs), scope.Launch)...)
	return nil
}

// descendants adds to the chosen processes those that they have started.
func (s *Source) descendants(scope tracer.Scope) tracer.Scope {
	if scope.All || len(scope.PIDs)+len(scope.Names) == 0 {
		return scope
	}
	set := machine.Chosen(s.sys, scope.PIDs, scope.Names)
	delete(set, s.self)
	scope.PIDs = slices.Sorted(maps.Keys(set))
	return scope
}

// capability asks dtrace which probes there are: SIP hides them without a word.
func (s *Source) capability() (c Capability, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), attachTimeout)
	defer cancel()
	out, err := exec.CommandContext(ctx, s.options.Program, "-l", "-n", "syscall::read:entry", "-n", "io:::start", "-n",
		"proc:::create").CombinedOutput()
	syscalls := false
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		if len(f) < 3 {
			continue
		}
		switch f[1] {
		case "syscall":
			syscalls = true
		case "io":
			c.IO = !s.options.Without.IO
		case "proc":
			c.Proc = !s.options.Without.Proc
		}
	}
	if syscalls {
		return c, nil
	}
	text := strings.TrimSpace(string(out))
	if text == "" && err != nil {
		text = err.Error()
	}
	return c, fmt.Errorf("looking for the probes of dtrace: %w", explain(text))
}

// explain says what to do about what dtrace printed.
func explain(text string) error {
	if k, ok := macos.Explain(text); ok {
		return fmt.Errorf("%w: %s", tracer.Cause(k.Denied), k.Text(text))
	}
	if text == "" {
		text = "dtrace said nothing"
	}
	return fmt.Errorf("%w: %s", tracer.ErrUnsupported, text)
}

// start runs dtrace with a script. It never runs the workload: dtrace -c runs
// it as root, splits its arguments at blanks and refuses what Apple signed.
func (s *Source) start(script string) error {
	c := exec.Command(s.options.Program, "-Z", "-x", "droptags", "-s", "/dev/stdin")
	c.Stdin = strings.NewReader(script)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C is for the workload and for us
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	said, err := c.StderrPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	s.command, s.lines, s.messages = c, bufio.NewReaderSize(out, 1<<20), make(chan string, 1024)
	go s.listen(said)
	return nil
}

func (s *Source) listen(r io.Reader) {
	defer close(s.messages)
	sc := bufio.NewScanner(r)
	for sc.Scan() {
		s.messages <- sc.Text()
	}
}

// begun waits for the version line, and then for the answer to a mark: DTrace
// begins to trace some moments after it has printed its first line.
func (s *Source) begun() error {
	timer := time.AfterFunc(attachTimeout, func() { _ = s.command.Process.Kill() })
	defer timer.Stop()
	stop := make(chan struct{})
	defer close(stop)
	for {
		line, err := s.lines.ReadString('\n')
		if err != nil {
			var said []string
			for m := range s.messages {
				said = append(said, m)
			}
			return fmt.Errorf("starting dtrace: %w", explain(strings.Join(said, "; ")))
		}
		r, err := parseRecord(strings.TrimSuffix(line, "\n"))
		switch {
		case r.Kind == KindVersion && err != nil:
			return fmt.Errorf("starting dtrace: %w", err)
		case r.Kind == KindVersion:
			s.wall = r.Wall - r.Time // of DTrace's clock at 0
			go marks(stop)
		case r.Kind == KindMark && err == nil:
			s.base = r.Time
			s.wall += r.Time
			return nil
		case r.Kind == KindTick && err == nil:
			s.early = append(s.early, r)
		}
	}
}

// marks makes the call that the script answers until it is told to stop.
func marks(stop <-chan struct{}) {
	for {
		_, _ = syscall.Getpgid(0)
		select {
		case <-stop:
			return
		case <-time.After(markEvery):
		}
	}
}
