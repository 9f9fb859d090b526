//go:build linux

package corpus

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/stats"
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
var ofSample = regexp.MustCompile(`(^|-)sample(\.\d+)+$`)

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

// shapes are workloads that a job can be like.
var shapes = map[string]string{
	"libaio at a depth of 8": "rw=randrw\nrwmixread=70\nbssplit=4k/50:16k/30:64k/20\nioengine=libaio\niodepth=8\n" +
		"direct=1\nsize=64m\nio_size=48m\nthread\n",
	"random, mixed": "rw=randrw\nrwmixread=60\nbssplit=4k/25:8k/25:32k/50\nioengine=psync\ndirect=1\nsize=96m\n" +
		"io_size=96m\nthread\n",
	"sequential, with pauses": "rw=read\nbssplit=64k/70:128k/30\nioengine=psync\ndirect=1\nsize=48m\nthinktime=2000\n",
	"4 processes": "rw=randrw\nrwmixread=50\nbssplit=4k/60:16k/40\nioengine=psync\ndirect=1\nsize=16m\nio_size=16m\n" +
		"numjobs=4\n",
	"3 threads, one file": "rw=randrw\nrwmixread=80\nbssplit=4k/60:16k/40\nioengine=psync\ndirect=1\nsize=64m\n" +
		"io_size=16m\nnumjobs=3\nthread\nfilename=sample.0\n",
}

// A job that is made like a recording does the same sizes, the same mix and as much at once.
func TestFioJobIsLikeTheRecording(t *testing.T) {
	needPrivilege(t)
	needPrograms(t, "fio")
	for name, job := range shapes {
		t.Run(name, func(t *testing.T) { alike(t, job) })
	}
}

func alike(t *testing.T, job string) {
	dir := workDir(t)
	fioFile(t, dir, "[sample]\n"+job)
	keep(t, filepath.Join(dir, "sample"), in(dir, "fio --output=out job.fio")...)
	run(t, binary, "export", "--to", "fio-job", "-o", filepath.Join(dir, "like"), filepath.Join(dir, "sample"))
	run(t, in(filepath.Join(dir, "like"), "fio --output=made --create_only=1 sample.fio")...)
	keep(t, filepath.Join(dir, "again"), in(filepath.Join(dir, "like"), "fio --output=out sample.fio")...)
	one, two := lookOf(t, filepath.Join(dir, "sample")), lookOf(t, filepath.Join(dir, "again"))
	var p, q []float64
	both := maps.Clone(one.sizes)
	maps.Copy(both, two.sizes)
	for size := range both {
		p, q = append(p, one.sizes[size]), append(q, two.sizes[size])
	}
	distance := stats.JensenShannon(p, q)
	t.Logf("Jensen–Shannon divergence of the sizes %.4f; depth %.2f, again %.2f; reads %.3f, again %.3f", distance,
		one.depth, two.depth, one.reads, two.reads)
	if distance > 0.02 || math.Abs(two.depth/one.depth-1) > 0.1 || math.Abs(two.reads-one.reads) > 0.02 {
		t.Error("the job is not like what was recorded")
	}
}

// look is what the operations of a workload are like.
type look struct {
	sizes map[string]float64 // operations by what they do and their size
	depth float64            // the mean while any was in flight
	reads float64            // their share
}

func lookOf(t *testing.T, trace string) look {
	t.Helper()
	k, l, list := look{sizes: map[string]float64{}}, layer{}, moved(t, trace)
	if len(list) < 500 {
		t.Fatalf("%d operations", len(list))
	}
	for _, e := range list {
		l.add(e.Start, e.Start+e.Duration, e.Result)
		k.sizes[fmt.Sprint(e.Op, e.Result)]++
		if e.Op == "read" {
			k.reads += 1 / float64(len(list))
		}
	}
	area, busy, _ := l.sweep()
	k.depth = area / float64(busy)
	return k
}
