package processors

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/trace"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]trace.Processors{
		"cpu  10 2 30 400 50 6 7 8 9 1\ncpu0 1 1 1 1 1 1 1 1": {Busy: 55 * tick, Idle: 450 * tick, Stolen: 8 * tick},
		"cpu  1 1 1 1 1 1 1": {}, "intr 1 2 3 4 5 6 7 8 9": {}, "cpu  1 1 1 x 1 1 1 1 1": {}, "": {},
	} {
		got, ok := parse(text)
		if ok != (want.Busy > 0) || ok && (got.Busy != want.Busy || got.Idle != want.Idle || got.Stolen != want.Stolen) {
			t.Errorf("%q: %+v, %v, want %+v", text, got, ok, want)
		}
	}
}

func TestMemberOf(t *testing.T) {
	const list = "5:cpu,cpuacct:/batch/one\n4:memory:/\n1:name=systemd:/init.scope\n0::/user.slice/a:b\n"
	if got := memberOf(list, false); got != "/batch/one" {
		t.Errorf("version 1: %q", got)
	}
	if got := memberOf(list, true); got != "/user.slice/a:b" {
		t.Errorf("version 2: %q", got)
	}
	if got := memberOf("0::/../../other\n", true); got != "/other" {
		t.Errorf("a group outside of the namespace: %q", got)
	}
}

// The processors of this machine did something in a second, and no more than there was of it.
func TestAccount(t *testing.T) {
	a := Open(func() []uint32 { return []uint32{uint32(os.Getpid())} })
	began := time.Now()
	for time.Since(began) < time.Second/5 {
	}
	time.Sleep(time.Second / 10)
	p := a.Close()
	if p == nil || p.Busy+p.Idle+p.Stolen <= 0 || p.Busy < int64(time.Second/20) {
		t.Errorf("%+v", p)
	}
}

// A program that spins in a control group with a tenth of a processor is held back most of the time.
func TestQuota(t *testing.T) {
	testenv.NeedRoot(t)
	g := newGroups()
	file, value := "cpu.cfs_quota_us", "10000"
	if g.unified {
		file, value = "cpu.max", "10000 100000"
	}
	group := "/iotrace-processors-" + strconv.Itoa(os.Getpid())
	dir := filepath.Join(g.root, group)
	if err := os.Mkdir(dir, 0o755); err != nil {
		testenv.Missing(t, "no control group: %v", err)
	}
	defer os.Remove(dir)
	if err := os.WriteFile(filepath.Join(dir, file), []byte(value), 0o644); err != nil {
		testenv.Missing(t, "no quota of processor time: %v", err)
	}
	spin := exec.Command("sh", "-c", "echo $$ > "+dir+"/cgroup.procs && while :; do :; done")
	if err := spin.Start(); err != nil {
		t.Fatal(err)
	}
	looks := 0
	a := Open(func() []uint32 {
		looks++
		return []uint32{uint32(spin.Process.Pid)}
	})
	time.Sleep(3500 * time.Millisecond)
	_ = spin.Process.Kill()
	_ = spin.Wait()
	if err := os.Remove(dir); err != nil { // as systemd-run removes the group of what has ended
		t.Error(err)
	}
	p := a.Close()
	if looks < 3 || looks > 15 {
		t.Errorf("%d looks at the processes in 3.5 s, want 10 in the first and one in each after it", looks)
	}
	if len(p.Held) != 1 || p.Held[0].Group != group || p.Held[0].Time <= 0 {
		t.Errorf("%+v, want that %s was held back", p, group)
	}
}
