package machine

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/trace"
)

func TestMember(t *testing.T) {
	const list = "5:cpu,cpuacct:/batch/one\n4:memory:/\n1:name=systemd:/init.scope\n0::/user.slice/a:b\n"
	if got := (hierarchy{root: "/", controller: "cpu"}).member(list); got != "/batch/one" {
		t.Errorf("version 1: %q", got)
	}
	if got := (hierarchy{root: "/", unified: true}).member(list); got != "/user.slice/a:b" {
		t.Errorf("version 2: %q", got)
	}
	if got := (hierarchy{root: "/", unified: true}).member("0::/../../other\n"); got != "/other" {
		t.Errorf("a group outside of the namespace: %q", got)
	}
}

// A program that spins in a control group with a tenth of a processor is held back most of the time.
func TestQuota(t *testing.T) {
	testenv.NeedRoot(t)
	q := newGroupQuotas(mounts())
	file, value := "cpu.cfs_quota_us", "10000"
	if q.unified {
		file, value = "cpu.max", "10000 100000"
	}
	group := "/iotrace-cgroups-" + strconv.Itoa(os.Getpid())
	dir := filepath.Join(q.root, group)
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
	s := OpenGroups(func() []uint32 {
		looks++
		return []uint32{uint32(spin.Process.Pid)}
	}, func() int64 { return 0 })
	time.Sleep(3500 * time.Millisecond)
	_ = spin.Process.Kill()
	_ = spin.Wait()
	if err := os.Remove(dir); err != nil { // as systemd-run removes the group of what has ended
		t.Error(err)
	}
	held := s.Close().Held
	if looks < 3 || looks > 15 {
		t.Errorf("%d looks at the processes in 3.5 s, want 10 in the first and one in each after it", looks)
	}
	if len(held) != 1 || held[0].Group != group || held[0].Time <= 0 {
		t.Errorf("%+v, want that %s was held back", held, group)
	}
}

// What io.max of version 2 says; a limit that changes, is lifted and comes back is listed each time, and one of a group
// that is gone stays.
func TestLimitsChange(t *testing.T) {
	at := int64(0)
	l := newGroupLimits(mounts(), func() int64 { at++; return at })
	l.hierarchy = hierarchy{root: t.TempDir(), unified: true}
	l.groups = []string{"/batch"}
	group := filepath.Join(l.root, "batch")
	if err := os.Mkdir(group, 0o755); err != nil {
		t.Fatal(err)
	}
	disk, other := trace.MakeDeviceID(8, 16), trace.MakeDeviceID(259, 3)
	for _, text := range []string{
		"", "8:16 rbps=2097152 wbps=max riops=max wiops=120\n", "8:16 rbps=2097152 wbps=max riops=max wiops=120\n",
		"259:3 rbps=max wbps=max riops=7 wiops=max\nx:y rbps=1\n8:16 rbps=1\n",
		"8:16 rbps=1 wbps=-1 riops=1e3\n", "8:16 rbps=1\n",
	} {
		if err := os.WriteFile(filepath.Join(group, "io.max"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		l.look()
	}
	if err := os.RemoveAll(group); err != nil {
		t.Fatal(err)
	}
	l.look()
	want := []trace.IOLimit{
		{Group: "/batch", Device: disk, From: 1, ReadBytes: 2097152, Writes: 120},
		{Group: "/batch", Device: disk, From: 2, ReadBytes: 1},
		{Group: "/batch", Device: other, From: 3, Reads: 7},
		{Group: "/batch", Device: other, From: 4},
	}
	if !slices.Equal(l.list, want) {
		t.Errorf("%+v, want %+v", l.list, want)
	}
}

// A limit of writes that is set for the group of a process, and changed while it is looked at.
func TestLimits(t *testing.T) {
	testenv.NeedRoot(t)
	l := newGroupLimits(mounts(), func() int64 { return 0 })
	numbers, err := filepath.Glob("/sys/block/*/dev")
	if err != nil || len(numbers) == 0 {
		testenv.Missing(t, "no block device")
	}
	number, err := os.ReadFile(numbers[0])
	if err != nil {
		t.Fatal(err)
	}
	device := strings.TrimSpace(string(number))
	group := "/iotrace-cgroups-" + strconv.Itoa(os.Getpid())
	dir := filepath.Join(l.root, group)
	if err := os.Mkdir(dir, 0o755); err != nil {
		testenv.Missing(t, "no control group: %v", err)
	}
	defer os.Remove(dir)
	set := func(rate int64) error {
		if l.unified {
			return os.WriteFile(dir+"/io.max", fmt.Appendf(nil, "%s wbps=%d", device, rate), 0o644)
		}
		return os.WriteFile(dir+"/"+files["wbps"], fmt.Appendf(nil, "%s %d", device, rate), 0o644)
	}
	if err := set(1 << 20); err != nil {
		testenv.Missing(t, "no limit of I/O: %v", err)
	}
	sleep := exec.Command("sh", "-c", "echo $$ > "+dir+"/cgroup.procs && exec sleep 60")
	if err := sleep.Start(); err != nil {
		t.Fatal(err)
	}
	for members := ""; members == ""; time.Sleep(time.Millisecond) { // it joins the group
		text, err := os.ReadFile(dir + "/cgroup.procs")
		if err != nil {
			t.Fatal(err)
		}
		members = string(text)
	}
	looks := make(chan struct{})
	s := OpenGroups(func() []uint32 {
		looks <- struct{}{}
		return []uint32{uint32(sleep.Process.Pid)}
	}, func() int64 { return 0 })
	<-looks
	<-looks // the first one is over
	if err := set(2 << 20); err != nil {
		t.Error(err)
	}
	<-looks // one may have begun before
	<-looks
	go func() {
		for range looks {
		}
	}()
	_ = sleep.Process.Kill()
	_ = sleep.Wait()
	closed := s.Close()
	close(looks)
	// A limit of the root group, set by somebody else, holds for all of its members and is listed too.
	limits := slices.DeleteFunc(closed.Limits, func(x trace.IOLimit) bool { return x.Group != group })
	if len(limits) != 2 || limits[0].WriteBytes != 1<<20 || limits[1].WriteBytes != 2<<20 {
		t.Errorf("%+v, want 1 MiB/s and then 2 MiB/s of %s", limits, group)
	}
}

// A group that comes up against its limit while it is watched is listed with what it was held to; one that did so only
// before is not, nor one without a limit.
func TestMemoryReached(t *testing.T) {
	s := newGroupShortages(mounts())
	s.hierarchy = hierarchy{root: t.TempDir(), controller: "memory", unified: true}
	events := func(group string, limit string, reached int) {
		t.Helper()
		dir := filepath.Join(s.root, group)
		for name, text := range map[string]string{"memory.max": limit, "memory.events": fmt.Sprintf("low 0\nhigh 0\nmax %d\n",
			reached)} {
			if err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, name), []byte(text),
				0o644)); err != nil {
				t.Fatal(err)
			}
		}
	}
	events("web", "41943040\n", 5)
	events("before", "41943040\n", 9)
	events("free", "max\n", 0)
	for _, of := range []string{"0::/web\n", "0::/before\n", "0::/free\n"} {
		s.joined(of)
	}
	events("web", "41943040\n", 12)
	events("free", "max\n", 3)
	if got, want := s.list(), (trace.MemoryLimit{Group: "/web", Bytes: 40 << 20, Reached: 7}); len(got) != 1 ||
		got[0] != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
