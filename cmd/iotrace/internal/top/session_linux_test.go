package top

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/backends"
)

func TestMain(m *testing.M) { os.Exit(testenv.Suite{M: m}.Run()) }

// loopDevice is a device that a test has to itself, with a file system on it that asks for no flushes: the kernel
// counts those without data twice.
func loopDevice(t *testing.T) (name, dir string) {
	t.Helper()
	testenv.NeedTools(t, "losetup", "mkfs.ext4", "dd")
	image := filepath.Join(testenv.WorkDir(t), "image")
	if err := os.WriteFile(image, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(image, 256<<20); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("losetup", "--find", "--show", image).Output()
	if err != nil {
		testenv.Missing(t, "loop devices: %v", err)
	}
	device := strings.TrimSpace(string(out))
	t.Cleanup(func() { run(t, "losetup", "-d", device) })
	if err := testenv.ResetDevice(device); err != nil {
		t.Fatal(err)
	}
	run(t, "mkfs.ext4", "-q", "-E", "nodiscard,lazy_itable_init=0,lazy_journal_init=0", device)
	run(t, "sync", device)
	dir = testenv.WorkDir(t)
	if err := unix.Mount(device, dir, "ext4", 0, ""); err != nil {
		testenv.Missing(t, "mounting ext4: %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
	return filepath.Base(device), dir
}

func run(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
}

// counted is what the kernel has counted at a device.
type counted struct{ reads, readSectors, writes, writeSectors, flushes, inFlight int64 }

// since is what was counted between two moments.
func (c counted) since(b counted) counted {
	return counted{reads: c.reads - b.reads, readSectors: c.readSectors - b.readSectors, writes: c.writes - b.writes,
		writeSectors: c.writeSectors - b.writeSectors, flushes: c.flushes - b.flushes}
}

// less reports whether there is less of anything.
func (c counted) less(d counted) bool {
	return c.reads < d.reads || c.readSectors < d.readSectors || c.writes < d.writes || c.writeSectors < d.writeSectors ||
		c.flushes < d.flushes
}

// countedNow is what the kernel has counted at a device until now.
func countedNow(t *testing.T, name string) (c counted) {
	t.Helper()
	text, err := os.ReadFile("/sys/block/" + name + "/stat")
	if err != nil {
		t.Error(err)
	}
	var skip int64
	if _, err := fmt.Sscan(string(text), &c.reads, &skip, &c.readSectors, &skip, &c.writes, &skip, &c.writeSectors,
		&skip, &c.inFlight, &skip, &skip, &skip, &skip, &skip, &skip, &c.flushes); err != nil {
		t.Error(err)
	}
	return c
}

// idle waits until a device has nothing to do.
func idle(t *testing.T, name string) (c counted) {
	t.Helper()
	for range 1000 {
		if c = countedNow(t, name); c.inFlight == 0 && !t.Failed() {
			return c
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s is not idle", name)
	return c
}

// course is what the kernel had counted at some moments, in order.
type course []struct {
	at time.Time
	counted
}

// watch notes every few milliseconds what the kernel has counted, until it is asked for all of that.
func watch(t *testing.T, name string) (stop func() course) {
	t.Helper()
	end, all := make(chan struct{}), make(chan course)
	go func() {
		var c course
		for {
			c = append(c, struct {
				at time.Time
				counted
			}{time.Now(), countedNow(t, name)})
			select {
			case <-end:
				all <- c
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	return func() course { close(end); return <-all }
}

// around is what had been counted an interval before a moment at least, and an interval after it at most.
func (c course) around(at time.Time, interval time.Duration) (least, most counted) {
	least, most = c[0].counted, c[len(c)-1].counted
	for _, x := range c {
		if !x.at.After(at.Add(-interval)) {
			least = x.counted
		}
	}
	for i := len(c) - 1; i >= 0 && !c[i].at.Before(at.Add(interval)); i-- {
		most = c[i].counted
	}
	return least, most
}

// accounted runs a program and returns its number and what /proc/PID/io says of it when it has ended and nobody has
// waited for it.
func accounted(t *testing.T, args ...string) (pid uint32, io map[string]int64) {
	t.Helper()
	c := exec.Command(args[0], args[1:]...)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	var info unix.Siginfo
	if err := unix.Waitid(unix.P_PID, c.Process.Pid, &info, unix.WEXITED|unix.WNOWAIT, nil); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/io", c.Process.Pid))
	if err := c.Wait(); err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	if err != nil {
		testenv.Missing(t, "the kernel's account of a process: %v", err)
	}
	io = map[string]int64{}
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		var n int64
		if _, err := fmt.Sscan(value, &n); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		io[key] = n
	}
	return uint32(c.Process.Pid), io
}

const interval = 200 * time.Millisecond

// follow takes intervals while work is done, with the probes in place from before it until after it.
func follow(t *testing.T, work func()) (all []*Interval) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	began, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- Run(ctx, Options{
			Open:     func() (tracer.Source, error) { return backends.Here().Open("ebpf", 0, nil) },
			Scope:    tracer.Scope{All: true},
			Interval: interval,
		}, func(i *Interval) error {
			if all = append(all, i); len(all) == 1 {
				close(began)
			}
			return nil
		})
	}()
	select {
	case <-began:
		work()
	case err := <-ended:
		t.Fatal(err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	return all
}

// The intervals of a run add up to what the kernel counted: at the device by /sys/block/*/stat, of a process by
// /proc/PID/io. Whoever looks for file systems on the machine reads the device as well; where that happens while the
// probes come or go, they may see it or not. A request that completes in the context of process 1 is seen by no probe,
// and told as lost (KNOWN_ISSUES.md).
func TestIntervalsEqualTheKernelsCounters(t *testing.T) {
	testenv.NeedBPF(t)
	name, dir := loopDevice(t)
	file := filepath.Join(dir, "file")
	early, stop := idle(t, name), watch(t, name)
	var before, after counted
	accounts := map[uint32]map[string]int64{}
	do := func(args ...string) map[string]int64 {
		pid, io := accounted(t, args...)
		accounts[pid] = io
		return io
	}
	all := follow(t, func() {
		before = idle(t, name)
		do("dd", "if=/dev/zero", "of="+file, "bs=64k", "count=256", "conv=fsync", "status=none")
		reader := do("dd", "if="+file, "of=/dev/null", "bs=16k", "count=500", "iflag=direct", "status=none")
		reader["to /dev/null"] = 500 * 16 << 10 // which holds no data
		do("dd", "if="+file, "of="+file+"2", "bs=4k", "count=300", "oflag=direct", "status=none")
		do("dd", "if=/dev/zero", "of="+file, "bs=4k", "count=30", "oflag=direct,dsync", "conv=notrunc", "status=none")
		if err := unix.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
		after = idle(t, name)
	})
	late, kernel := idle(t, name), stop()
	var got counted
	calls, device := map[uint32]Amount{}, map[uint32]Amount{}
	lost, span := uint64(0), int64(0)
	for _, i := range all {
		lost += i.Own.Lost
		if i.StartNS != span {
			t.Errorf("interval %d begins at %d ns, the one before ended at %d", i.Number, i.StartNS, span)
		}
		span += i.DurationNS
		for _, d := range i.Devices {
			if d.Name == name {
				got.reads, got.readSectors = got.reads+d.Read.Requests, got.readSectors+d.Read.Bytes/512
				got.flushes += d.Flushes
				got.writes, got.writeSectors = got.writes+d.Write.Requests, got.writeSectors+d.Write.Bytes/512
			}
		}
		if lost == 0 {
			eachAtItsTime(t, i, got, kernel, early, before)
		}
		for _, p := range i.Processes {
			c, d := calls[p.PID], device[p.PID]
			calls[p.PID] = Amount{Read: c.Read + p.Calls.Read, Write: c.Write + p.Calls.Write}
			device[p.PID] = Amount{Read: d.Read + p.Device.Read, Write: d.Write + p.Device.Write}
		}
	}
	want := after.since(before)
	// Of a flush with nothing to write the kernel counts a write of no bytes besides.
	want.writes -= min(max(want.writes-got.writes, 0), want.flushes)
	unseen := max(want.reads-got.reads, 0) + max(want.writes-got.writes, 0) + max(want.flushes-got.flushes, 0)
	if uint64(unseen) > lost || unseen == 0 && got.less(want) || late.since(early).less(got) {
		t.Errorf("%+v at the device, the kernel counted %+v, and with what came while the probes came and went %+v; "+
			"%d events were lost", got, want, late.since(early), lost)
	}
	sameAccounts(t, accounts, calls, device, unseen == 0)
}

// eachAtItsTime holds what was shown until the end of an interval against what the kernel had counted by then, within
// an interval: at least what came since a moment with the probes in place, at most all. Of a flush that writes nothing
// the kernel, and iostat with it, counts a write besides.
func eachAtItsTime(t *testing.T, i *Interval, got counted, kernel course, early, before counted) {
	t.Helper()
	least, most := kernel.around(i.Time, interval)
	least, most = least.since(before), most.since(early)
	asCounted := got
	asCounted.writes += got.flushes
	if asCounted.less(least) || most.less(got) {
		t.Errorf("until interval %d: %+v, the kernel had counted %+v an interval before and %+v an interval after its end",
			i.Number, got, least, most)
	}
}

// sameAccounts holds what was seen of processes against what /proc/PID/io said of them.
func sameAccounts(t *testing.T, accounts map[uint32]map[string]int64, calls, device map[uint32]Amount,
	whole bool,
) {
	t.Helper()
	for pid, io := range accounts {
		t.Logf("%d: calls %+v, device %+v, %v", pid, calls[pid], device[pid], io)
		written := calls[pid].Write
		if written != io["wchar"]-io["to /dev/null"] || whole && device[pid].Read != io["read_bytes"] {
			t.Errorf("process %d: calls wrote %d and devices read %d, the kernel counted %d and %d", pid, written,
				device[pid].Read, io["wchar"], io["read_bytes"])
		}
	}
}
