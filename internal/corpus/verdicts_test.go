//go:build linux

package corpus

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/internal/bench/slow"
)

// A situation has one cause, imposed and far larger than the noise.
type situation struct {
	name string
	// make prepares it and returns the command to record.
	make func(t testing.TB) []string
	// want is the true cause; several where they are the same thing seen from two sides.
	want []string
}

var situations = []situation{
	{"direct reads one at a time", func(t testing.TB) []string {
		return in(slowDir(t), "dd if=file of=/dev/null bs=64k count=100 iflag=direct")
	}, []string{verdict.DeviceLatency}},
	{"direct writes one at a time", func(t testing.TB) []string {
		return in(slowDir(t), "dd if=/dev/zero of=new bs=64k count=100 oflag=direct")
	}, []string{verdict.DeviceLatency}},
	{"no readahead", func(t testing.TB) []string {
		dir := slowDir(t)
		run(t, "blockdev", "--setra", "0", source(t, dir))
		return in(dir, "dd if=file of=/dev/null bs=64k count=8")
	}, []string{verdict.DeviceLatency}},
	{"a cold copy", func(t testing.TB) []string {
		return in(slowDir(t), "cp file /dev/shm/iotrace-copy; rm /dev/shm/iotrace-copy")
	}, []string{verdict.DeviceLatency, verdict.DeviceBandwidth}},
	{"a mapped file in random order", func(t testing.TB) []string {
		return in(slowDir(t), `python3 -c 'import mmap,random
f = open("file", "rb")
m = mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ)
m.madvise(mmap.MADV_RANDOM)
print(sum(m[random.randrange(len(m))] for _ in range(150)))'`)
	}, []string{verdict.MappedReads}},
	{"a bandwidth limit on writes", func(t testing.TB) []string {
		dir := limitedDevice(t, "write_bps_device", 20<<20)
		return in(dir, "dd if=/dev/zero of=new bs=1M count=32 oflag=direct")
	}, []string{verdict.LimitAbove}},
	{"a bandwidth limit on written-back data", func(t testing.TB) []string {
		dir := limitedDevice(t, "write_bps_device", 20<<20)
		return in(dir, "cp "+warmFile(t, 32<<20)+" new")
	}, []string{verdict.LimitAbove}},
	{"a limit of operations on reads", func(t testing.TB) []string {
		dir := limitedDevice(t, "read_iops_device", 100)
		fill(t, filepath.Join(dir, "file"), 2<<20)
		return in(dir, "sync file; dd if=file of=/dev/null bs=16k iflag=direct")
	}, []string{verdict.LimitAbove}},
	{"synchronous writes", func(t testing.TB) []string {
		return in(slowDir(t), "dd if=/dev/zero of=new bs=4k count=60 oflag=direct,sync")
	}, []string{verdict.Sync}},
	{"many syncs", func(t testing.TB) []string {
		return in(slowDir(t), `python3 -c 'import os
f = os.open("new", os.O_WRONLY | os.O_CREAT)
for i in range(60): os.write(f, b"x" * 4096); os.fsync(f)'`)
	}, []string{verdict.Sync}},
	// A real-time policy, as a nice value counts only within a session's group of processes.
	{"a copy in memory", func(t testing.TB) []string {
		return []string{"chrt", "-f", "1", "dd", "if=" + warmFile(t, 256<<20), "of=/dev/null", "bs=1M"}
	}, []string{verdict.PageCache}},
	{"a program that computes", func(t testing.TB) []string {
		return []string{"chrt", "-f", "1", "sh", "-c", "xz -1 -T1 -c " + warmFile(t, 8<<20) + " > /dev/null"}
	}, []string{verdict.OwnCPU}},
	{"a program that pauses", func(t testing.TB) []string {
		return in(workDir(t), `python3 -c 'import os,time
f = os.open("new", os.O_WRONLY | os.O_CREAT)
for i in range(100): os.write(f, b"x" * 65536); time.sleep(0.01)'`)
	}, []string{verdict.ThinkTime}},
	{"a quota of processor time", func(t testing.TB) []string {
		group := quota(t, 10)
		return []string{"sh", "-c", "echo $$ > " + group + "/cgroup.procs && sha256sum " + warmFile(t, 64<<20)}
	}, []string{verdict.CPUContention}},
	{"a slow producer", func(t testing.TB) []string {
		return in(workDir(t), "(for i in 1 2 3 4 5 6 7 8 9 10; do sleep .1; head -c 65536 /dev/zero; done) | dd of=new bs=64k iflag=fullblock")
	}, []string{verdict.OtherEnd}},
	{"a lock that another holds", func(t testing.TB) []string {
		dir := workDir(t)
		holder := exec.Command("flock", dir+"/lock", "sh", "-c", "while ! [ -e "+dir+"/started ]; do sleep .02; done; sleep 1")
		if err := holder.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = holder.Wait() })
		return in(dir, "touch started; flock lock true")
	}, []string{verdict.BlockedInCall}},
	{"a file system that is a process", func(t testing.TB) []string {
		image := filepath.Join(filepath.Dir(slowDir(t)), "slow.img")
		return []string{"dd", "if=" + image, "of=/dev/null", "bs=128k", "count=100", "iflag=direct"}
	}, []string{verdict.UserSpaceFS}},
}

// TestVerdicts records situations whose cause is known: it must come first, and none
// that is not true may be called proved before it.
func TestVerdicts(t *testing.T) {
	needPrivilege(t)
	needPrograms(t, "dd", "cp", "python3", "xz", "flock", "blockdev", "chrt")
	right := 0
	for _, s := range situations {
		t.Run(s.name, func(t *testing.T) {
			args := s.make(t)
			p := attempt(t, args...)
			v := p.Verdict
			t.Logf("%s\n%s\n%s", strings.Join(args, " "), strings.Join(v.Lines, "\n"), causes(v))
			switch {
			case len(v.Causes) == 0:
				t.Errorf("no cause is named, want %s", s.want)
			case !slices.Contains(s.want, v.Causes[0].Code):
				t.Errorf("the first cause is %s (%s), want %s", v.Causes[0].Code, v.Causes[0].Certainty, s.want)
			default:
				right++
			}
		})
	}
	t.Logf("%d of %d situations have their true cause first", right, len(situations))
}

func causes(v profile.Verdict) string {
	var b strings.Builder
	for _, c := range v.Causes {
		fmt.Fprintf(&b, "  %.2f %s (%s)\n", c.Share, c.Code, c.Certainty)
	}
	return b.String()
}

// slowLatency is what each request of the slow device takes.
const slowLatency = 10 * time.Millisecond

// slowDir is a directory on a device whose every request takes slowLatency, with a file
// of 16 MiB.
func slowDir(t testing.TB) string {
	dir, end, err := slow.Start(workDir(t), slowLatency)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := end(); err != nil {
			t.Error(err)
		}
	})
	fill(t, filepath.Join(dir, "file"), 16<<20)
	run(t, "sync", "-f", dir)
	run(t, "dd", "of="+filepath.Join(dir, "file"), "oflag=nocache", "conv=notrunc,fdatasync", "count=0", "status=none") // its pages leave memory
	return dir
}

// warmFile is a file that is in memory when it has been read once; recording drops what
// is not: it is read again by the command's own shell before.
func warmFile(t testing.TB, size int) string {
	path := filepath.Join("/dev/shm", fmt.Sprintf("iotrace-corpus-%d", os.Getpid()))
	fill(t, path, size)
	t.Cleanup(func() { os.Remove(path) })
	return path
}

// source is the device of a mounted directory.
func source(t testing.TB, dir string) string {
	return run(t, "findmnt", "--noheadings", "--output", "SOURCE", dir)
}

// limitedDevice is a directory on a device with a limit of a control group (version 1).
func limitedDevice(t testing.TB, file string, limit int64) string {
	path := "/sys/fs/cgroup/blkio/blkio.throttle." + file
	if _, err := os.Stat(path); err != nil {
		cannot(t)("no blkio throttle (version 1 of control groups)")
	}
	dir := mount(t, "ext4", 256<<20)
	number := run(t, "lsblk", "--noheadings", "--nodeps", "--output", "MAJ:MIN", source(t, dir))
	set := func(limit int64) {
		if err := os.WriteFile(path, fmt.Appendf(nil, "%s %d", number, limit), 0o644); err != nil {
			t.Error(err)
		}
	}
	set(limit)
	t.Cleanup(func() { set(0) })
	return dir
}

// quota makes a control group with so many percent of one processor.
func quota(t testing.TB, percent int) string {
	group := "/sys/fs/cgroup/cpu/iotrace-corpus-" + strconv.Itoa(os.Getpid())
	if err := os.Mkdir(group, 0o755); err != nil {
		cannot(t)("no control group for processors (version 1): %v", err)
	}
	t.Cleanup(func() { os.Remove(group) })
	if err := os.WriteFile(group+"/cpu.cfs_quota_us", []byte(strconv.Itoa(percent*1000)), 0o644); err != nil {
		t.Fatal(err)
	}
	return group
}
