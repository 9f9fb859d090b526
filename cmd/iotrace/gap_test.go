package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
	"github.com/iotrace/iotrace/tracer/backends"
)

// writeTrace records 64 buffered writes of 16 KiB with a sync after each.
func writeTrace(t *testing.T) string { return syncedTrace(t, 500*time.Microsecond) }

// syncedTrace is writeTrace with syncs that take so long.
func syncedTrace(t *testing.T, sync time.Duration) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "w.iotrace")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := tracefile.NewWriter(out, trace.Header{OS: "linux", Calls: []string{"write", "fsync"}, CPUs: 1})
	if err != nil {
		t.Fatal(err)
	}
	err = w.File(&trace.File{ID: 1, Path: "/data/f", Type: trace.FileRegular})
	at := int64(1000)
	for i := range int64(64) {
		call := trace.Syscall{PID: 1, TID: 1, FD: 3, FD2: -1, File: 1, Op: trace.OpWrite, Start: at, Duration: 10_000,
			Offset: i << 14, Offset2: -1, Requested: 1 << 14, Result: 1 << 14}
		err = errors.Join(err, w.Syscall(&call))
		call.Op, call.Call, call.Start, call.Duration, call.Offset, call.Result = trace.OpSync, 1, at+10_000, int64(sync), -1,
			0
		err = errors.Join(err, w.Syscall(&call))
		at += 11_000 + int64(sync)
	}
	if err := errors.Join(err, w.Close(trace.End{Duration: at, CommandEnd: at, Durable: at}), out.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// runMain runs the program and returns what it prints.
func runMain(t *testing.T, args ...string) (output string, status int) {
	t.Helper()
	s, out, errs := cli.FakeStreams()
	status = run(args, s, backends.Here())
	return out.String() + errs.String(), status
}

// TestGapExperiment runs the whole command on a small payload, with buffered
// writes as the benchmark so that it needs no direct I/O.
func TestGapExperiment(t *testing.T) {
	path, dir := writeTrace(t), t.TempDir()
	out, status := runMain(t, "gap", path, "--against", "dd/zero-buffered", "--dir", dir, "--size", "1MiB", "--yes",
		"--quiet", "--json")
	out = out[max(strings.Index(out, "{"), 0) : strings.LastIndex(out, "}")+1] // without the announcement
	if status != 0 {
		t.Fatalf("status %d\n%s", status, out)
	}
	var r gap.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err, out)
	}
	if r.Experiment == nil || r.Explanation == nil || len(r.Factors) == 0 || r.Residual == nil {
		t.Fatal(out)
	}
	sum := 0.0
	for _, f := range r.Factors {
		sum += f.Phi
	}
	if math.Abs(sum-r.Explanation.Gap) > 1e-9*math.Abs(sum)+1e-12 {
		t.Errorf("parts add up to %v, the gap is %v", sum, r.Explanation.Gap)
	}
	if want := len(gap.Factorial(len(r.Factors), gap.Repetitions, 1)); len(r.Experiment.Runs) != want {
		t.Errorf("%d runs, want %d", len(r.Experiment.Runs), want)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Error("left behind:", left)
	}
	if _, err := os.Stat(path + ".gap"); err == nil {
		t.Error("the state of a complete experiment was kept")
	}
	out, status = runMain(t, "gap", path, "--against", "dd/zero-buffered", "--dir", dir, "--size", "1MiB")
	if status != 1 || !bytes.Contains([]byte(out), []byte("was not made")) {
		t.Errorf("without consent: status %d\n%s", status, out)
	}
	out, status = runMain(t, "gap", path, "--against", "dd/zero-buffered", "--dir", dir, "--size", "100TB", "--yes")
	if status != 1 || !bytes.Contains([]byte(out), []byte("free")) {
		t.Errorf("too little space: status %d\n%s", status, out)
	}
}

// TestGapEstimate: where the recorded program waited for an hour in what does not come back here, the experiment is
// announced as what it takes, not as many hours; where the device is as it was, within a factor of what it takes that
// other users of the machine leave room for.
func TestGapEstimate(t *testing.T) {
	const waited = 64 * time.Minute
	announced := regexp.MustCompile(`(\d+) runs of .* and take about (\S+)( \S+)?[.( ]`)
	dir := t.TempDir()
	begun := time.Now()
	out, status := runMain(t, "gap", syncedTrace(t, waited/64), "--against", "dd/zero-buffered", "--dir", dir, "--size",
		"1MiB", "--yes", "--quiet")
	took := time.Since(begun)
	m := announced.FindStringSubmatch(out)
	if status != 0 || m == nil {
		t.Fatalf("status %d\n%s", status, out)
	}
	runs, _ := strconv.Atoi(m[1])
	said, err := time.ParseDuration(strings.ReplaceAll(strings.TrimRight(m[2]+strings.TrimSpace(m[3]), ".("), "min", "m"))
	if err != nil {
		t.Fatal(err, m)
	}
	t.Logf("announced %v, took %v with its pilot", said, took)
	if asRecorded := time.Duration(runs) * waited; said > asRecorded/100 || said <= 0 {
		t.Errorf("%d runs are announced as %v; %v is how long the recorded program would have waited", runs, said, asRecorded)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Error("left behind:", left)
	}
}

// TestGapInterrupted: Ctrl-C ends an experiment and removes its files; the same
// command goes on with the runs that were made.
func TestGapInterrupted(t *testing.T) {
	path, dir := writeTrace(t), t.TempDir()
	var args []string
	var out string
	status := 0
	for runs := 3; status == 0 && runs < 1000; runs *= 2 { // until the signal comes before the end
		args = []string{"gap", path, "--against", "dd/zero-buffered", "--dir", dir, "--size", "1MiB", "--runs",
			strconv.Itoa(runs), "--yes", "--quiet"}
		out, status = interrupted(t, path+".gap", func() (string, int) { return runMain(t, args...) })
	}
	if status != 130 || !strings.Contains(out, "interrupted by SIGINT") ||
		!strings.Contains(out, "the same command goes on") {
		t.Fatalf("status %d\n%s", status, out)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Error("left behind:", left)
	}
	out, status = runMain(t, args...)
	if status != 0 || !strings.Contains(out, "runs were made before and count") {
		t.Fatalf("going on: status %d\n%s", status, out)
	}
	if _, err := os.Stat(path + ".gap"); err == nil {
		t.Error("the state of a complete experiment was kept")
	}
}

// interrupted sends SIGINT to this process when f has come to its third run,
// unless it is over before.
func interrupted(t *testing.T, state string, f func() (string, int)) (string, int) {
	t.Helper()
	ours := make(chan os.Signal, 1) // so that the signal ends nothing that does not expect it
	signal.Notify(ours, os.Interrupt)
	defer signal.Stop(ours)
	over, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-over:
				return
			case <-time.After(time.Millisecond):
			}
			if text, _ := os.ReadFile(state); bytes.Count(text, []byte("\n")) > 3 {
				if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
					t.Error(err)
				} else {
					<-ours
				}
				return
			}
		}
	}()
	out, status := f()
	close(over)
	<-stopped
	return out, status
}
