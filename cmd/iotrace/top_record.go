package main

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/cmd/iotrace/internal/top"
	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/tracer"
)

// besides is a recording of all that was started from the full screen. It is a process of its own: it goes on while the
// screen is slow, has its own buffer, and completes its file when the terminal goes away.
type besides struct {
	file string
	work *exec.Cmd
	said bytes.Buffer
	done chan struct{}
	err  error
}

// recordBesides starts one of what is looked at. It lasts an hour at most: nobody may be there any more to end it.
func recordBesides(backend string, scope tracer.Scope, flags []string) (top.Recording, error) {
	b := &besides{file: traceFileName(nil, scope, time.Now()), done: make(chan struct{})}
	args := append([]string{"record", "--backend", backend, "--quiet", "--duration", "1h", "-o", b.file}, flags...)
	b.work = exec.Command(host.Program(), args...)
	b.work.Stdout, b.work.Stderr = &b.said, &b.said
	if err := b.work.Start(); err != nil {
		return nil, fmt.Errorf("starting a recording: %w", err)
	}
	go func() {
		defer close(b.done)
		if b.err = b.work.Wait(); b.err != nil {
			if text := bytes.TrimSpace(b.said.Bytes()); len(text) > 0 {
				b.err = errors.New(string(text))
			}
			b.err = fmt.Errorf("recording: %w", b.err)
		}
	}()
	return b, nil
}

// File is the trace.
func (b *besides) File() string { return b.file }

// Done is closed when it has ended.
func (b *besides) Done() <-chan struct{} { return b.done }

// Stop ends it, and says what went wrong with it.
func (b *besides) Stop() error {
	_ = b.work.Process.Signal(unix.SIGINT) // it may have ended
	<-b.done
	return b.err
}
