package analyzer

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/iotrace/iotrace/trace"
)

// Analyze reads the trace at path, "-" for standard input, and says what
// happened in it. Damage, losses and a missing end are warnings of the
// profile; an error means that there is no trace to read.
func Analyze(path string, opt Options) (*Profile, error) {
	if path != "-" {
		p, err := analyze(func() (*trace.FileReader, error) { return trace.OpenFile(path) })
		if err == nil {
			p.Trace.File = path
		}
		return p, err
	}
	spool, err := os.CreateTemp(opt.TempDir, "iotrace-*.iotrace")
	if err != nil {
		return nil, fmt.Errorf("keeping standard input for a second reading: %w", err)
	}
	defer os.Remove(spool.Name())
	_, err = io.Copy(spool, os.Stdin)
	if err = errors.Join(err, spool.Close()); err != nil {
		return nil, fmt.Errorf("keeping standard input for a second reading: %w", err)
	}
	p, err := analyze(func() (*trace.FileReader, error) { return trace.OpenFile(spool.Name()) })
	if err == nil {
		p.Trace.File = "-"
	}
	return p, err
}

func analyze(open func() (*trace.FileReader, error)) (*Profile, error) {
	r, err := open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var b trace.Batch
	for {
		if err := r.Next(&b); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
	}
	h := r.Header()
	p := &Profile{Command: h.Command, ExitStatus: -1, DurableNS: Unknown}
	p.Trace = Trace{
		Backend: h.Backend, Tool: h.Tool, OS: h.OS, Kernel: h.Kernel, Arch: h.Arch, Host: h.Host, Scope: h.Scope,
		WallStart: h.WallStart, CPUs: h.CPUs, MemoryBytes: h.Memory, Dir: h.Dir, Reason: "interrupted", Damaged: len(r.Damage()),
	}
	if end, ok := r.End(); ok {
		p.Trace.Reason, p.Trace.DurationNS, p.ExitStatus = end.Reason, end.Duration, end.ExitCode
		p.WallNS, p.DurableNS = end.CommandEnd, end.Durable
	}
	return p, nil
}
