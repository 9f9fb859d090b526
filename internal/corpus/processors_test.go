//go:build linux

package corpus

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
)

// Where others take the processor in the middle of a recording the speed falls, and that is no step: neither a device
// nor the program changed. The report says so instead. It is tried again where others had the processor from the
// beginning, so that it got no slower.
func TestProcessorsOfOthersMakeNoStep(t *testing.T) {
	needPrivilege(t)
	needPrograms(t, "taskset", "dd")
	steps := 0 // tries with one: once the machine itself may have become slower
	for range 5 {
		p := readBesideOthers(t)
		for _, s := range p.ChangePoints {
			t.Logf("%s %s: %.0f → %.0f MB/s after %d bytes", s.Series, s.Device, float64(s.Before)/1e6,
				float64(s.After)/1e6, s.AtBytes)
		}
		if len(p.ChangePoints) > 0 {
			if steps++; steps > 1 {
				t.Fatal("steps where neither a device nor the program changed")
			}
			continue
		}
		if slowedDown(p) {
			warned(t, p, "processors_shared")
			return
		}
	}
	cannot(t)("others had the processor from the beginning")
}

// slowedDown reports whether the second of two reads took twice as long as the first or longer.
func slowedDown(p *profile.Profile) bool {
	var took []int64
	for _, x := range p.Processes {
		if x.Command == "dd" {
			took = append(took, x.EndNS-x.StartNS)
		}
	}
	return len(took) == 2 && max(took[0], took[1]) >= 2*min(took[0], took[1])
}

// readBesideOthers records a program that reads a file twice, the second time beside four others on its processor.
func readBesideOthers(t *testing.T) *profile.Profile {
	dir := workDir(t)
	file, half, begun := filepath.Join(dir, "file"), filepath.Join(dir, "half"), filepath.Join(dir, "begun")
	fill(t, file, 512<<20)
	for _, fifo := range []string{half, begun} {
		if err := unix.Mkfifo(fifo, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var others []*exec.Cmd
	taken := make(chan struct{})
	take := func() {
		defer close(taken)
		if _, err := os.ReadFile(half); err != nil { // until the first half has been read
			t.Error(err)
		}
		for range 4 {
			busy := exec.Command("taskset", "-c", "0", "sh", "-c", "while :; do :; done")
			busy.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
			if err := busy.Start(); err != nil {
				t.Error(err)
				continue
			}
			others = append(others, busy)
		}
		if err := os.WriteFile(begun, []byte("\n"), 0o600); err != nil {
			t.Error(err)
		}
	}
	read := "dd if=" + file + " of=/dev/null bs=4k status=none"
	go take()
	p := attempt(t, "taskset", "-c", "0", "sh", "-c", fmt.Sprintf("%s; echo > %s; read x < %s; %[1]s", read, half, begun))
	<-taken
	for _, busy := range others {
		_ = busy.Process.Kill()
		_ = busy.Wait()
	}
	run(t, "rm", file)
	return p
}

// Threads that want more processors than there are use up the machine themselves, as far as others leave it to them. So
// what they ran and waited for each other is the part of all processor time that they had, alone and beside others.
func TestThreadsThatCrowdTheProcessors(t *testing.T) {
	needPrivilege(t)
	needPrograms(t, "xz")
	if runtime.NumCPU() > 8 {
		cannot(t)("more processors than threads")
	}
	file := warmFile(t, 32<<20)
	for _, others := range []int{0, 2, 8} {
		t.Run(fmt.Sprint(others, " others"), func(t *testing.T) {
			for range others {
				background(t, "/", "while :; do :; done")
			}
			p := attempt(t, in("/", fmt.Sprintf("exec xz -0 -T%d --block-size=512KiB -c %s > /dev/null", 8*runtime.NumCPU(),
				file))...)
			var own, contended, had float64
			for _, c := range p.Verdict.Causes {
				switch c.Code {
				case cause.OwnCPU:
					own += c.Share
				case cause.CPUContention:
					contended += c.Share
				}
			}
			for _, x := range p.Processes {
				had += float64(x.CPUNS)
			}
			had /= float64(p.Trace.DurationNS) * float64(p.Trace.CPUs)
			t.Logf("%.2f own, %.2f contended, %.2f of the processors", own, contended, had)
			if math.Abs(own-had) > .15 || others > 0 && 2*contended < 1-had {
				t.Errorf("%s\n%s", p.Verdict.Text(), causes(p.Verdict))
			}
		})
	}
}
