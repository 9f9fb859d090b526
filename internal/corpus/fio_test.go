//go:build linux

package corpus

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/stats/distribution"
)

// fioFile writes a job of fio and has it make its files, so that only its operations are recorded.
func fioFile(t *testing.T, dir, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "job.fio"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, in(dir, "fio --output=made --create_only=1 job.fio")...)
}

// ofSample are the names of the files that fio makes for a job called sample, each process or thread its own, also
// where a replay has put a number before them.
var ofSample = regexp.MustCompile(`(^|-)sample\.\d+\.\d+$`)

// moved are the operations on the files that the job made, in the order in which they began.
func moved(t *testing.T, trace string) (list []event) {
	t.Helper()
	for _, e := range events(t, trace) {
		if (e.Kind == "syscall" || e.Kind == "asyncop") && ofSample.MatchString(filepath.Base(e.Path)) &&
			slices.Contains([]string{"read", "write", "sync", "datasync"}, e.Op) {
			list = append(list, e)
		}
	}
	slices.SortStableFunc(list, func(a, b event) int { return cmp.Compare(a.Start, b.Start) })
	return list
}

// paced are jobs that leave the drive time between their operations.
var paced = map[string]string{
	"random, mixed, with fsync": "rw=randrw\nrwmixread=70\nbssplit=4k/50:16k/30:64k/20\nioengine=psync\nsize=16m\n" +
		"io_size=4m\nnrfiles=2\nfsync=8\nthinktime=2000\nthread\n",
	"sequential writes with fdatasync": "rw=write\nbs=64k\nioengine=psync\nsize=16m\nfdatasync=4\nthinktime=5000\n",
	"libaio, direct, at a rate": "rw=randrw\nbssplit=4k/60:32k/40\nioengine=libaio\niodepth=8\ndirect=1\nsize=32m\n" +
		"io_size=16m\nrate_iops=400,400\n",
	"8 threads, direct": "rw=randrw\nbs=4k\nioengine=psync\ndirect=1\nsize=8m\nio_size=1m\nnumjobs=8\nthread\n" +
		"thinktime=4000\n",
	"3 processes, buffered": "rw=randwrite\nbssplit=4k/50:128k/50\nioengine=psync\nsize=16m\nio_size=8m\nnumjobs=3\n" +
		"thinktime=3000\n",
}

// What fio replays of an iolog is what was recorded: the same operations of the same sizes at the same places, in the
// same order. How long both took is for people to compare: a test asserts no time.
func TestFioLogIsReplayed(t *testing.T) {
	needPrivilege(t)
	needPrograms(t, "fio")
	for name, job := range paced {
		t.Run(name, func(t *testing.T) { replayed(t, job) })
	}
}

func replayed(t *testing.T, job string) {
	dir := workDir(t)
	fioFile(t, dir, "[sample]\n"+job)
	keep(t, filepath.Join(dir, "one"), in(dir, "fio --output=out job.fio")...)
	run(t, binary, "export", "--to", "fio-iolog", "-o", filepath.Join(dir, "replay"), filepath.Join(dir, "one"))
	run(t, in(filepath.Join(dir, "replay"), "fio --output=made one.fio")...) // makes the files
	keep(t, filepath.Join(dir, "two"), in(filepath.Join(dir, "replay"), "fio --output=out one.fio")...)
	one, two := moved(t, filepath.Join(dir, "one")), moved(t, filepath.Join(dir, "two"))
	if len(one) < 100 {
		t.Fatalf("%d operations", len(one))
	}
	for i := range min(len(one), len(two)) {
		a, b := one[i], two[i]
		if a.Op != b.Op || a.Offset != b.Offset && a.Op != "sync" && a.Op != "datasync" || a.Result != b.Result ||
			!strings.HasSuffix(b.Path, filepath.Base(a.Path)) {
			t.Fatalf("operation %d: %s %s %d+%d, replayed as %s %s %d+%d", i, a.Op, a.Path, a.Offset, a.Result, b.Op,
				b.Path, b.Offset, b.Result)
		}
	}
	if len(one) != len(two) {
		t.Errorf("%d operations, replayed %d: %+v", len(one), len(two), two[min(len(one), len(two)-1):])
	}
	span := func(l []event) float64 {
		return float64(l[len(l)-1].Start+l[len(l)-1].Duration-l[0].Start) / 1e9
	}
	t.Logf("%d operations in %.3f s, replayed in %.3f s: %+.1f %%", len(one), span(one), span(two),
		100*(span(two)/span(one)-1))
}

// A job that is made like a recording does the same sizes, the same mix and as much at once.
func TestFioJobIsLikeTheRecording(t *testing.T) {
	needPrivilege(t)
	needPrograms(t, "fio")
	dir := workDir(t)
	fioFile(t, dir, "[sample]\nrw=randrw\nrwmixread=70\nbssplit=4k/50:16k/30:64k/20\nioengine=libaio\niodepth=8\n"+
		"direct=1\nsize=64m\nio_size=48m\nthread\n")
	keep(t, filepath.Join(dir, "sample"), in(dir, "fio --output=out job.fio")...)
	run(t, binary, "export", "--to", "fio-job", "-o", filepath.Join(dir, "like"), filepath.Join(dir, "sample"))
	run(t, in(filepath.Join(dir, "like"), "fio --output=made --create_only=1 sample.fio")...)
	keep(t, filepath.Join(dir, "again"), in(filepath.Join(dir, "like"), "fio --output=out sample.fio")...)
	one, two := moved(t, filepath.Join(dir, "sample")), moved(t, filepath.Join(dir, "again"))
	depths, mixes := [2]float64{}, [2]float64{}
	sizes := map[string]*[2]float64{}
	for i, list := range [][]event{one, two} {
		if len(list) < 1000 {
			t.Fatalf("%d operations", len(list))
		}
		l := layer{}
		for _, e := range list {
			l.add(e.Start, e.Start+e.Duration, e.Result)
			if e.Op == "read" {
				mixes[i] += 1 / float64(len(list))
			}
			key := fmt.Sprint(e.Op, e.Result)
			if sizes[key] == nil {
				sizes[key] = new([2]float64)
			}
			sizes[key][i]++
		}
		area, busy, _ := l.sweep()
		depths[i] = area / float64(busy)
	}
	var p, q []float64
	for _, n := range sizes {
		p, q = append(p, n[0]), append(q, n[1])
	}
	distance := distribution.JensenShannon(p, q)
	t.Logf("Jensen–Shannon divergence of the sizes %.4f; depth %.2f, again %.2f; reads %.3f, again %.3f", distance,
		depths[0], depths[1], mixes[0], mixes[1])
	if distance > 0.02 || math.Abs(depths[1]/depths[0]-1) > 0.1 || math.Abs(mixes[1]-mixes[0]) > 0.02 {
		t.Error("the job is not like what was recorded")
	}
}
