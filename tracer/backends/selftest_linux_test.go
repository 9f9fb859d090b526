package backends

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/dtrace"
	"github.com/iotrace/iotrace/tracer/ebpf"
	"github.com/iotrace/iotrace/tracer/kdebug"
	"github.com/iotrace/iotrace/tracer/kdebug/kdsim"
)

func TestMain(m *testing.M) {
	tracer.RunHeld()
	RunSelfTest()
	os.Exit(testenv.Suite{M: m}.Run())
}

func passes(t *testing.T, dir string, open func() (tracer.Source, error)) {
	t.Helper()
	checks, err := SelfTest(open, dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checks {
		if !c.OK {
			t.Errorf("%s: %s", c.Name, c.Found)
		}
	}
	if len(checks) < len(expected) {
		t.Errorf("%d checks of %d calls", len(checks), len(expected))
	}
}

func TestEBPFPasses(t *testing.T) {
	testenv.NeedBPF(t)
	passes(t, t.TempDir(), func() (tracer.Source, error) { return ebpf.New(ebpf.Options{}) })
}

// blind is a source that does not see disk requests.
type blind struct{ tracer.Source }

type withoutRequests struct{ trace.Sink }

func (withoutRequests) Request(*trace.Request) error { return nil }

func (s blind) Record(ctx context.Context, sink trace.Sink) error {
	return s.Source.Record(ctx, withoutRequests{sink})
}

// A recording that saw none of the workload's requests is made again; a source that never sees any does not pass.
func TestBlindMomentsAreRepeated(t *testing.T) {
	testenv.NeedBPF(t)
	for _, moments := range []int{1, attempts} {
		made := 0
		checks, err := SelfTest(func() (tracer.Source, error) {
			source, err := ebpf.New(ebpf.Options{})
			if made++; err == nil && made <= moments {
				return blind{source}, nil
			}
			return source, err
		}, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if want := moments < attempts; sawRequests(checks) != want || made < min(moments+1, attempts) {
			t.Errorf("blind %d times: %d recordings, requests seen: %v, want %v", moments, made, !want, want)
		}
	}
}

// Under sudo the workload is the user's, not root's, and is recorded all the same.
func TestEBPFPassesUnderSudo(t *testing.T) {
	if os.Getenv("IOTRACE_TEST_SUDO") != "" {
		passes(t, ".", func() (tracer.Source, error) { return ebpf.New(ebpf.Options{}) })
		return
	}
	testenv.NeedBPF(t)
	dir, err := os.MkdirTemp("/tmp", "selftest-") // where the user may go, and the program with it
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(dir, "selftest")
	if err := os.WriteFile(exe, program, 0o755); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(exe, "-test.run=^TestEBPFPassesUnderSudo$", "-test.v")
	c.Env = append(os.Environ(), "IOTRACE_TEST_SUDO=1", "SUDO_UID=65534", "SUDO_GID=65534", "SUDO_USER=nobody",
		"TMPDIR="+dir)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestRealDTracePasses(t *testing.T) {
	p := os.Getenv("IOTRACE_DTRACE")
	if p == "" {
		t.Skip("IOTRACE_DTRACE does not name a dtrace; run `make test-dtrace`")
	}
	passes(t, t.TempDir(), func() (tracer.Source, error) { return dtrace.New(dtrace.Options{Program: p}) })
}

// stub is a source that has recorded something else.
type stub struct {
	tracer.Source
	limits []trace.Limit
}

func (s stub) Limits() []trace.Limit { return s.limits }
func (s stub) Stats() tracer.Stats {
	return tracer.Stats{Lost: map[trace.Kind]uint64{trace.KindSyscall: 2}}
}

// Whatever is missing or wrong is named.
func TestDeviationsAreFound(t *testing.T) {
	log := &trace.Log{Files: []trace.File{{ID: 1, Path: "/d/a"}}, Syscalls: []trace.Syscall{
		{Op: trace.OpWrite, File: 1, Offset: 0, Requested: block, Result: block},
		{Op: trace.OpWrite, File: 1, Offset: trace.NoOffset, Requested: 2 * block, Result: 2 * block},
	}}
	for _, c := range check(stub{limits: []trace.Limit{{Code: trace.LimitNoRequests}}}, log, "/d", 5) {
		want := c.Name == "write at the beginning" || c.Name == "disk requests"
		if c.OK != want {
			t.Errorf("%s: OK %t (%s), want %t", c.Name, c.OK, c.Found, want)
		}
		if c.Name == "write that follows" && c.Found != "recorded, but at offset -1 instead of 4096" {
			t.Errorf("%s: %s", c.Name, c.Found)
		}
	}
}

// The kdebug decoder passes as well, on the records that a Mac would log for
// the same calls.
func TestSimulatedMacPasses(t *testing.T) {
	for _, mac := range []macos.Model{macos.Intel, macos.AppleSilicon} {
		t.Run(mac.String(), func(t *testing.T) { simulatedMacPasses(t, mac) })
	}
}

func simulatedMacPasses(t *testing.T, mac macos.Model) {
	m, shell := kdsim.New(mac)
	m.MakeFile("/d/d/inside", 1)
	p := shell.Spawn("/usr/local/bin/iotrace")
	fd := p.Open("/d/a", kdsim.ORdwr|kdsim.OCreat|kdsim.OExcl|kdsim.OCloexec)
	p.Write(fd, block)
	p.Write(fd, 2*block)
	p.Pwrite("pwrite", fd, block, 1<<20)
	p.Seek(fd, 512)
	p.Read(fd, block)
	p.Pread("pread", fd, 1000, 2*block)
	p.Disk("/d/a", false, block, 500, 0)
	p.FullSync(fd, 500)
	p.Ftruncate(fd, 5*block)
	p.Close(fd)
	p.Rename("/d/a", "/d/b file")
	p.OnPath("stat64", "/d/b file")
	p.OnPath("mkdir", "/d/d")
	p.Clonefile("/d/b file", "/d/d/clone")
	p.Unlink("/d/b file")
	p.Exit(exitStatus << 8)
	log := &trace.Log{}
	d := kdebug.NewDecoder(kdebug.Config{Scope: tracer.Scope{Launch: p.Proc.PID}, Timebase: m.Timebase, Start: m.Base},
		log)
	if err := d.Decode(kdsim.Bytes(m.Records())); err != nil {
		t.Fatal(err)
	}
	for _, c := range check(stub{limits: []trace.Limit{{Code: trace.LimitNoWaits}}}, log, "/d", p.Proc.PID) {
		if !c.OK && c.Name != "losses" { // the stub has some
			t.Errorf("%s: %s", c.Name, c.Found)
		}
	}
}
