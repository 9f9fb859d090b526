//go:build linux

package corpus

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// starts are programs whose start is recorded twice, with cold and with warm
// caches.
var starts = []struct {
	name, needs string
	exe         string // part of the path of the program that starts
	whole       bool   // the launch lasts until the program exits
	args        []string
}{
	{"python", "python3", "python3", true, []string{"python3", "-c", "import json, ssl"}},
	// the faults of the first execve, of sh, are not recorded
	{"git", "git sh", "git", true, []string{"sh", "-c", "exec git status"}},
	{"chromium", "chromium", "chromium/chromium", false, []string{"chromium", "--headless", "--no-sandbox",
		"--disable-gpu", "--disable-background-networking", "--dump-dom", "about:blank"}},
}

// coldStart records a program that is not in memory, and returns how much of it is afterwards. A recording that lost
// what the program waited for says nothing of that: it is made again.
func coldStart(t *testing.T, exe string, args []string) (p *profile.Profile, inMemory int64) {
	t.Helper()
	for range attempts {
		before := int64(0)
		p = prepared(t, func() []string {
			dropCaches(t)
			before = resident(t, exe)
			return args
		})
		if p.Lost.Kinds["request"]+p.Lost.Kinds["fault"] == 0 {
			return p, resident(t, exe) - before
		}
		t.Logf("lost: %v", p.Lost.Kinds)
	}
	t.Fatalf("each of %d recordings lost requests or faults", attempts)
	return nil, 0
}

// TestLaunches checks that cold and warm starts tell different stories: the
// cold one reads the program and its libraries from the device by page faults
// and is blocked, the warm one makes the same calls and reads next to nothing.
func TestLaunches(t *testing.T) {
	needPrivilege(t)
	for _, s := range starts {
		t.Run(s.name, func(t *testing.T) {
			needPrograms(t, strings.Fields(s.needs)...)
			exe := start(t, record(t, s.args...), s.exe).Exe // and what only a first start does
			p, code := coldStart(t, exe, s.args)
			cold := start(t, p, s.exe)
			hold(t, p)
			warm := start(t, record(t, s.args...), s.exe)
			// Names and inodes cannot be held: the kernel may have given them up.
			for i := 0; i < attempts && read(warm) > 0; i++ {
				warm = start(t, record(t, s.args...), s.exe)
			}
			for name, l := range map[string]profile.Launch{"cold": cold, "warm": warm} {
				t.Logf("%s: %s until %s: %d ms, disk %d ms, CPU %d ms, %d faults of %d kB, %d calls of %d kB, device %d kB",
					l.State, l.Exe, l.Until, l.WallNS/1e6, l.DiskNS/1e6, l.CPUNS/1e6, l.Faults, l.FaultBytes/1000, l.ReadCalls,
					l.ReadBytes/1000, read(l)/1000)
				if l.State != name {
					t.Errorf("the %s start is called %s", name, l.State)
				}
				if l.DiskNS > l.WallNS || l.SavingNS > l.WallNS || l.BestNS+l.SavingNS != l.WallNS {
					t.Errorf("%s: %d ns on the disk of %d, %d to be saved, at best %d", name, l.DiskNS, l.WallNS, l.SavingNS, l.BestNS)
				}
			}
			if cold.Faults == 0 || cold.DiskNS == 0 || read(warm)*10 > read(cold) {
				t.Errorf("cold: %d faults, %d ns on the disk, %d bytes from the device; warm: %d", cold.Faults, cold.DiskNS,
					read(cold), read(warm))
			}
			// What the kernel holds of the program came from the device, by page
			// faults but for the one readahead with which execve read its headers.
			if !s.whole { // and went on to after the launch
				code = 1<<20 + readahead
			}
			if program(cold) < code || cold.FaultBytes < code-readahead {
				t.Errorf("cold: %d bytes of the program are in memory, %d came from the device; faults brought in %d", code,
					program(cold), cold.FaultBytes)
			}
		})
	}
}

// dropCaches empties the page cache, which a test needs.
func dropCaches(t *testing.T) {
	t.Helper()
	run(t, "sync")
	if err := os.WriteFile("/proc/sys/vm/drop_caches", []byte("3"), 0o200); err != nil {
		cannot(t)("caches cannot be dropped: %v", err)
	}
}

// start finds the first start of a program.
func start(t *testing.T, p *profile.Profile, exe string) profile.Launch {
	t.Helper()
	i := slices.IndexFunc(p.Launches, func(l profile.Launch) bool { return strings.Contains(l.Exe, exe) })
	if i < 0 {
		t.Fatalf("no start of %s: %+v", exe, p.Launches)
	}
	return p.Launches[i]
}

func read(l profile.Launch) int64 {
	if l.Device == nil {
		return 0
	}
	return l.Device.Bytes
}

// program is how much of the program itself came from the device.
func program(l profile.Launch) int64 {
	for _, k := range l.Kinds {
		if k.Kind == "program" {
			return k.DeviceBytes
		}
	}
	return 0
}

// TestExecve starts a small program from the disk, as the command and from a
// shell: execve reads most of it, before it runs.
func TestExecve(t *testing.T) {
	needPrivilege(t)
	for _, way := range []string{"the command", "another program"} {
		t.Run(way, func(t *testing.T) {
			exe := filepath.Join(workDir(t), "small")
			run(t, "cp", "/bin/true", exe)
			command := []string{exe}
			if way == "another program" {
				command = []string{"sh", "-c", "exec " + exe}
			}
			var l profile.Launch
			for range 4 { // the device can be done before the program has its processor back: then it does not wait
				p, code := coldStart(t, exe, command)
				l = start(t, p, exe)
				t.Logf("%d bytes of the program in memory, %d from the device; %d ns, disk %d ns, blocked %d ns", code, program(l),
					l.WallNS, l.DiskNS, l.BlockedNS)
				if before := resident(t, exe) - code; before != 0 {
					t.Fatalf("%d bytes of a program that does not run stay in memory", before)
				}
				if code == 0 || program(l) != code {
					t.Errorf("%d bytes of the program are in memory, the launch read %d from the device", code, program(l))
				}
				if l.BlockedNS > 0 {
					break
				}
			}
			if l.DiskNS <= 0 || l.DiskNS > l.WallNS {
				t.Errorf("%d ns on the disk of %d", l.DiskNS, l.WallNS)
			}
		})
	}
}

// TestShellStart checks that a shell has started when its script runs.
func TestShellStart(t *testing.T) {
	needPrivilege(t)
	p := record(t, "sh", "-c", "sleep 0.2; sleep 0.2; true")
	l := start(t, p, "sh")
	if l.Until != "child" || l.WallNS*2 > p.WallNS {
		t.Errorf("sh took %d ns to start, until %s; it ran for %d", l.WallNS, l.Until, p.WallNS)
	}
}

// TestScrub jumps through a long film, with cold and with warm caches: the
// jumps are served from the device, or from memory.
func TestScrub(t *testing.T) {
	needPrivilege(t)
	needPrograms(t, "ffmpeg")
	dir := workDir(t)
	film := filepath.Join(dir, "film.mp4")
	run(t, "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=d=60:s=640x480:r=10", "-c:v", "mjpeg",
		"-q:v", "2", film)
	args := []string{"ffmpeg", "-v", "error"}
	places := []string{"50", "5", "33", "12", "58", "21", "40", "2", "47", "27"}
	for _, at := range places {
		args = append(args, "-ss", at, "-t", "0.3", "-i", film)
	}
	for i := range places {
		args = append(args, "-map", string(rune('0'+i))+":v", "-f", "null", "-")
	}
	p := prepared(t, func() []string {
		dropCaches(t)
		return args
	})
	cold := scrub(t, p, film)
	hold(t, p)
	warm := scrub(t, record(t, args...), film)
	for name, s := range map[string]profile.Scrub{"cold": cold, "warm": warm} {
		t.Logf("%s: %d jumps over %d kB (median), %d kB read after each, calls of %d, first read p50 %d ns, p99 %d, device "+
			"%d kB", s.State, s.Jumps, s.Distance.P50/1000, s.PerJump.P50/1000, s.Calls.P50, s.FirstByte.P50, s.FirstByte.P99,
			s.DeviceBytes/1000)
		if s.State != name {
			t.Errorf("the %s scrub is called %s", name, s.State)
		}
		if s.Jumps < int64(len(places)) || s.PerJump.P50 <= 0 || s.Calls.P50 <= 0 || s.FirstByte.P99 < s.FirstByte.P50 ||
			s.FirstByte.P50 <= 0 {
			t.Errorf("%s: %+v", name, s)
		}
	}
	if cold.DeviceBytes < cold.Jumps*cold.PerJump.P50/2 || warm.DeviceBytes != 0 {
		t.Errorf("cold: %d bytes from the device; warm: %d", cold.DeviceBytes, warm.DeviceBytes)
	}
}

// scrub finds the jumps through a film.
func scrub(t *testing.T, p *profile.Profile, film string) profile.Scrub {
	t.Helper()
	i := slices.IndexFunc(p.Scrubs, func(s profile.Scrub) bool { return s.Path == film })
	if i < 0 {
		t.Fatalf("no scrub of %s: %+v", film, p.Scrubs)
	}
	return p.Scrubs[i]
}
