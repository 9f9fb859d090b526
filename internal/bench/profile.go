//go:build linux

package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/pprof"

	"github.com/iotrace/iotrace/analyzer"
	"github.com/iotrace/iotrace/convert/tables"
	"github.com/iotrace/iotrace/internal/output"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/ebpf"
)

// benchProfile finds out where iotrace spends its time, for the compiler. It records a storm of calls and a program
// that keeps 32 reads in flight. It has both traces analysed, drawn and exported, and writes the CPU profile
// of all that.
func benchProfile() error {
	out := flag.String("o", "cmd/iotrace/iotrace.pprof", "write the profile to `FILE`")
	flag.Parse()
	return output.Write(*out, output.Options{Replace: true}, profileRun)
}

// again is how often each trace is read: reading counts for more than recording, which waits.
const again = 3

// profileRun writes the profile.
func profileRun(w *bufio.Writer) error {
	dir, err := os.MkdirTemp("/var/tmp", "iotrace-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := pprof.StartCPUProfile(w); err != nil {
		return err
	}
	defer pprof.StopCPUProfile()
	file := filepath.Join(dir, "file")
	for name, command := range map[string][]string{
		"storm": {"dd", "if=/dev/zero", "of=/dev/null", "bs=1", "count=4M", "status=none"},
		"reads": {"fio", "--name=reads", "--filename=" + file, "--size=512M", "--rw=randread", "--bs=4k", "--direct=1",
			"--ioengine=libaio", "--iodepth=32", "--runtime=20", "--time_based", "--output=/dev/null"},
	} {
		path := filepath.Join(dir, name+".iotrace")
		if err := errors.Join(record(path, command), read(path, dir)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// record records a command to a file.
func record(path string, command []string) error {
	source, err := ebpf.New(ebpf.Options{})
	if err != nil {
		return err
	}
	defer source.Close()
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w, err := tracefile.NewWriter(f, trace.Header{Tool: "profile", Calls: source.Calls()})
	if err != nil {
		return err
	}
	held, err := tracer.Launch(tracer.Command{Args: command})
	if err != nil {
		return err
	}
	defer held.Abandon()
	if err := source.Attach(tracer.Scope{Launch: uint32(held.PID())}); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- source.Record(ctx, w) }()
	if err = held.Release(); err == nil {
		<-held.Exited()
		if code := held.ExitCode(); code != 0 {
			err = fmt.Errorf("%s exited with %d", command[0], code)
		}
	}
	stop()
	return errors.Join(err, <-ended, w.Close(trace.End{}))
}

// read does with a trace what show, report and export do.
func read(path, dir string) error {
	for range again {
		if _, err := analyzer.Analyze(path, analyzer.Options{}); err != nil {
			return err
		}
	}
	if _, err := analyzer.Analyze(path, analyzer.Options{Charts: true}); err != nil {
		return err
	}
	_, err := tables.Parquet.Export(path, filepath.Base(path),
		output.Destination{Files: forgetful{output.NewTree(dir, nil, nil)}})
	return err
}

// forgetful takes what is exported.
type forgetful struct{ *output.Tree }

func (forgetful) Write(_ string, _ bool, write func(*bufio.Writer) error) error {
	return write(bufio.NewWriter(io.Discard))
}
