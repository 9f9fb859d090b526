package flight

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime/debug"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/output"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"

	"github.com/iotrace/iotrace/tracer/machine"
)

// moment is what was counted until a time. A trace begins at one, so that counts and events are of the same time.
type moment struct {
	at         int64
	processors machine.Processors
	cost       trace.Cost
	cpu        time.Duration
}

func (r *recorder) note() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.noteLocked()
}

func (r *recorder) noteLocked() {
	cpu, _ := host.ProcessCPU(unix.Getpid())
	r.moments = append(r.moments, moment{r.source.Now(), machine.OpenProcessors(), r.source.Stats().Cost, cpu})
}

// job is a trace that is written while recording goes on.
type job struct {
	*recorder
	trigger trace.Trigger
	header  trace.Header
	end     trace.End
	stretch *Stretch
	asking  []Asked
	began   time.Time // on the wall clock
	missing int64     // ns at its beginning that there was no room for
}

// write has a trace written that ends at a time. The lock is held.
func (r *recorder) write(p *pending, to int64) {
	start := r.moments[0]
	for _, m := range r.moments {
		if m.at <= p.from {
			start = m
		}
	}
	j := &job{recorder: r, trigger: p.trigger, header: r.header, stretch: r.ring.Between(start.at, to)}
	from := j.stretch.From()
	j.trigger.Time, j.trigger.Start = max(p.trigger.Time-from, 0), max(p.trigger.Start-from, 0)
	j.began = host.ClockZero(r.source.Now).Add(time.Duration(from))
	j.header.WallStart, j.header.ClockError, j.header.Trigger = j.began, int64(host.ClockError()), &j.trigger
	j.end = trace.End{Duration: max(to-from, 0), CommandEnd: -1, Durable: -1, ExitCode: -1, Reason: Reason,
		Processors: start.processors.Close()}
	j.end.Mounts, j.end.SyncedDirs = r.Scope.Only.Mounts(r.mounts, r.dirs)
	j.end.Recorder = r.cost(&start)
	if j.missing = from - start.at; j.missing > 0 {
		j.end.Warnings = append(j.end.Warnings, fmt.Sprintf("The trace begins %s late: what happened before did not fit "+
			"into the %s that were to be kept (--keep-size).", unit.Nanoseconds(j.missing), unit.BlockSize(r.Size)))
	}
	if r.withheld > 0 {
		j.end.Warnings = append(j.end.Warnings, fmt.Sprintf("Before this trace conditions held %s without one being "+
			"written: there are at most %d an hour (--at-most).", unit.Things(int64(r.withheld), "time"), r.AtMost))
		r.withheld = 0
	}
	if p == r.wanted {
		j.asking, r.asking = r.asking, nil
	}
	r.writing = make(chan struct{})
	go j.run(r.writing)
}

// cost is what recording has cost since a moment.
func (r *recorder) cost(since *moment) trace.Cost {
	c := r.source.Stats().Cost
	cpu, _ := host.ProcessCPU(unix.Getpid())
	c.ProbeCPU = max(c.ProbeCPU-since.cost.ProbeCPU, 0)
	c.ProbeRuns -= min(since.cost.ProbeRuns, c.ProbeRuns)
	c.ReaderCPU, c.MaxRSS = int64(cpu-since.cpu), host.MaxRSS()
	return c
}

// run writes the trace and says so, or why it could not.
func (j *job) run(done chan<- struct{}) {
	defer close(done)
	w, err := j.save()
	debug.FreeOSMemory() // what writing took is not needed for hours
	reply(j.asking, w, err)
	switch {
	case err != nil:
		j.fail(fmt.Errorf("%w; no trace was written of %s, recording goes on", err, j.trigger.Subject()))
	default:
		j.mu.Lock()
		j.written++
		j.mu.Unlock()
		j.Counters.Wrote()
		if j.Wrote != nil {
			j.Wrote(w)
		}
	}
}

// mostNames bounds the traces of one second.
const mostNames = 100

// save writes the trace under a name that nobody has.
func (j *job) save() (w Written, err error) {
	at := j.began.Add(time.Duration(j.trigger.Time))
	for n := range mostNames {
		w, err = j.saveAs(j.name(at, n))
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return w, err
}

// name is that of the n-th trace of a second.
func (o *Options) name(at time.Time, n int) string {
	name := "flight-" + at.Format("20060102-150405")
	if n > 0 {
		name += fmt.Sprintf("-%d", n+1)
	}
	return filepath.Join(o.Dir, name+".iotrace")
}

func (j *job) saveAs(path string) (Written, error) {
	f, err := output.Create(path, output.Options{As: j.Owner.Identity(), What: "trace"})
	if err != nil {
		return Written{}, err
	}
	size, err := j.fill(f)
	var removed []string
	if err == nil {
		removed, err = j.makeRoom(size)
	}
	if errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) {
		err = fmt.Errorf("%w: free some of its disk, or have fewer traces kept there with --max-disk", err)
	}
	if err != nil {
		return Written{}, errors.Join(fmt.Errorf("writing %s: %w", path, err), f.Discard())
	}
	if err := f.Commit(); err != nil {
		return Written{}, errors.Join(err, f.Discard())
	}
	return Written{f.Path(), size, time.Duration(j.end.Duration), j.trigger, removed, time.Duration(j.missing)}, f.Close()
}

// fill writes the whole trace to its disk.
func (j *job) fill(f *output.File) (size int64, err error) {
	w, err := tracefile.NewWriter(f, j.header)
	if err != nil {
		return 0, err
	}
	if err := j.stretch.Write(w); err != nil {
		return 0, errors.Join(err, w.Abandon())
	}
	if err := w.Close(j.end); err != nil {
		return 0, err
	}
	if err := f.Sync(); err != nil && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOTSUP) {
		return 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
