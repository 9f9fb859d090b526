//go:build linux

// Package ebpf records on Linux with BTF tracepoints. New → Attach loads the probes (bpf/), configured for one scope.
// Record reads what they leave in a ring buffer, and the calls of each CPU, and turns it into trace events. Close
// detaches.
package ebpf

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/machine"
)

// Options configure a Tracer.
type Options struct {
	// BufferSize is the size of the kernel's event buffer in bytes, a power of
	// two of at least one page. 0 means DefaultBuffer, or what a control group
	// leaves for it.
	BufferSize int

	legacy bool // for tests: the probes for old kernels (bpf/flavour.h) whatever the kernel
}

// Tracer is a tracer.Source. Its links are kept for as long as it lives: the
// kernel detaches a program when the last reference to its link goes, without
// telling anyone.
type Tracer struct {
	options Options
	advice  error // about the size of the buffer
	calls   *callTable
	base    int64 // CLOCK_MONOTONIC at time 0

	collection *ebpf.Collection
	links      []link.Link
	limits     []trace.Limit
	late       []clients // whose module was not there as the probes were loaded
	decoder    *decoder
	reader     *reader
	losses     *losses
	cost       *costMeter
	aging      aging
	clocks     clocks
	closeOnce  sync.Once

	mu    sync.Mutex
	final bool // stats are, or the probes are gone
	stats tracer.Stats
	notes []string
}

// New checks the options. It touches nothing in the kernel yet.
func New(o Options) (*Tracer, error) {
	page := os.Getpagesize()
	if o.BufferSize != 0 && (o.BufferSize < page || o.BufferSize&(o.BufferSize-1) != 0) {
		return nil, fmt.Errorf("buffer size %d: it must be a power of two of at least %d bytes", o.BufferSize, page)
	}
	var advice error
	m, limited := machine.OwnMemory()
	if o.BufferSize == 0 {
		o.BufferSize, advice = fittingBuffer(m, limited)
	} else if advice = doubt(o.BufferSize, m, limited); errors.Is(advice, unix.ENOMEM) {
		return nil, advice
	}
	return &Tracer{options: o, advice: advice, calls: newCallTable()}, nil
}

// Name implements tracer.Source.
func (t *Tracer) Name() string { return "ebpf" }

// Advice implements tracer.Adviser.
func (t *Tracer) Advice() error { return t.advice }

// Calls implements tracer.Source.
func (t *Tracer) Calls() []string { return t.calls.names }

// Limits implements tracer.Source.
func (t *Tracer) Limits() []trace.Limit { return t.limits }

// Now implements tracer.Source.
func (t *Tracer) Now() int64 { return monotonic() - t.base }

// Written implements tracer.Source.
func (t *Tracer) Written() []trace.File { return t.decoder.files.written() }

// Used lists the regular files that recorded processes have used.
func (t *Tracer) Used() []tracer.UsedFile { return t.decoder.files.everUsed() }

func monotonic() int64 {
	var ts unix.Timespec
	unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts)
	return ts.Nano()
}

// Attach implements tracer.Source.
func (t *Tracer) Attach(scope tracer.Scope) error {
	if err := t.attach(scope); err != nil {
		t.Close()
		return err
	}
	return nil
}

func (t *Tracer) attach(scope tracer.Scope) error {
	if c := processNumbers(); !c.OK { // nothing would be recorded, or what others with these numbers do
		return fmt.Errorf("selecting processes: their IDs are %s: %w; %s", c.Found, tracer.ErrUnsupported, c.Remedy)
	}
	k, err := readKernel()
	if err != nil {
		return err
	}
	k.legacy = k.legacy || t.options.legacy
	t.late = missingClients()
	if err := t.load(k, scope); err != nil {
		return err
	}
	if err := selectDisks(t.collection, &scope.Only); err != nil {
		return err
	}
	selected, err := selectTargets(t.collection, scope)
	if err != nil {
		return err
	}
	if err := t.attachAll(); err != nil {
		return err
	}
	if err := selected.complete(); err != nil {
		return err
	}
	if err := followPresent(t.collection); err != nil {
		return err
	}
	t.base = monotonic()
	if err := t.collection.Variables["begun"].Set(uint64(t.base)); err != nil {
		return fmt.Errorf("telling the probes that all are in place: %w", err)
	}
	t.cost = newCostMeter(t.collection)
	t.decoder = newDecoder(t.calls, t.base, selected.present, scope.All)
	t.reader, err = newReader(t.collection, t.decoder, t.options.BufferSize)
	return err
}

// load loads the probes. A kernel that refuses one that is not required gets the
// others.
func (t *Tracer) load(k *kernel, scope tracer.Scope) error {
	defer lockMemory()()
	refused := k.refusals()
	for {
		spec, err := k.probes()
		if err != nil {
			return fmt.Errorf("reading the embedded probes: %w", err)
		}
		if t.limits, err = fit(spec, k, refused); err != nil {
			return err
		}
		if err := configure(spec, k, t.calls, scope, t.options.BufferSize); err != nil {
			return err
		}
		t.collection, err = collect(spec, k, roomy(t.options.BufferSize))
		if err == nil {
			return nil
		}
		hook := refusedHook(spec, err)
		if hook == "" || slices.Contains(required, hook) || errors.Is(err, errPermission) && !isVerifierError(err) {
			return short(explain(err), t.options.BufferSize)
		}
		refused[hook] = err
	}
}

// attachAll attaches every program that has a hook.
func (t *Tracer) attachAll() error {
	for _, name := range t.programNames() {
		l, err := link.AttachTracing(link.TracingOptions{Program: t.collection.Programs[name]})
		if err != nil {
			return explain(fmt.Errorf("attaching %s: %w", name, err))
		}
		t.links = append(t.links, l)
	}
	return nil
}

// programNames returns those that are attached to a hook, in the order in which that is done, that of the
// names: the copies of a program (bpf/request.h) run after it, completions are
// there before issues, and system calls come last, so that whatever a recorded
// call causes finds its probe in place. Only what tells for whom a file system
// writes is there before: without it each such write would be the program's.
func (t *Tracer) programNames() []string {
	divides := func(program string) int {
		for _, of := range []string{"jbd2_", "xfs_", "xlog_", "btrfs_", "add_delayed_"} {
			if strings.HasPrefix(program, of) {
				return 0
			}
		}
		return 1
	}
	names := slices.SortedFunc(maps.Keys(t.collection.Programs), func(a, b string) int {
		return cmp.Or(cmp.Compare(divides(a), divides(b)), cmp.Compare(a, b))
	})
	return slices.DeleteFunc(names, func(name string) bool { return name == presentThreads || name == sampledThreads })
}

// Record implements tracer.Source.
func (t *Tracer) Record(ctx context.Context, sink trace.Sink) error {
	if err := t.decoder.begin(sink); err != nil {
		return err
	}
	stop := t.cost.start()
	if t.aging.gone == nil { // who goes on forever makes traces of parts of the time
		t.clocks, _ = startClocks(t.collection)
	}
	t.losses = newLosses(t.collection, t.base)
	err := poll(ctx, t.reader, t.options.BufferSize, func() error {
		return cmp.Or(t.aging.turn(t), t.losses.tell(sink, t.Now()))
	})
	stop()
	t.clocks.stop()
	missed, countErr := unfinished(t.collection)
	t.detach()
	if err == nil {
		err = rest(t.reader)
	}
	return errors.Join(err, countErr, t.finish(sink, missed))
}

// finish reports losses to the sink and fills in the statistics. unfinished is
// the number of requests whose completion was missed.
func (t *Tracer) finish(sink trace.Sink, unfinished uint64) error {
	total, err := t.losses.finish(sink, t.Now(), unfinished)
	if err != nil {
		return err
	}
	cost := t.cost.result()
	cost.BufferSize = int64(t.options.BufferSize)
	cost.BufferPeak = t.reader.peak.Load()
	t.mu.Lock()
	t.stats, t.final = tracer.Stats{Lost: total, Cost: cost}, true
	t.notes, err = helperNotes(t.collection)
	t.notes = append(t.notes, lateClients(t.late)...)
	t.mu.Unlock()
	return err
}

// Stats implements tracer.Source. While it records they are of what was lost and sampled so far; requests whose
// completion was missed are only told from those in flight at the end.
func (t *Tracer) Stats() tracer.Stats {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.final && t.cost != nil {
		if total, err := totalLost(t.collection); err == nil {
			t.stats.Lost = total
		}
		t.stats.Cost = t.cost.result()
	}
	return t.stats
}

// Mounts implements tracer.MountLister.
func (t *Tracer) Mounts() (used []trace.Mount, syncedDirs []string) {
	u := &t.decoder.files.mounts.used
	return u.mounts, u.dirs
}

// Samples implements tracer.Sampler.
func (t *Tracer) Samples() []trace.Sample { return t.decoder.samples.list(t.decoder.files) }

// Notes implements tracer.Noter.
func (t *Tracer) Notes() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.advice != nil {
		return append([]string{"While this was recorded, " + t.advice.Error() + "."}, t.notes...)
	}
	return t.notes
}

// detach goes backwards: as long as the beginning of something is recorded, so
// is its end.
func (t *Tracer) detach() {
	for _, l := range slices.Backward(t.links) {
		l.Close()
	}
	t.links = nil
}

// Close implements tracer.Source.
func (t *Tracer) Close() error {
	t.closeOnce.Do(func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.final = true
		t.detach()
		if t.reader != nil {
			t.reader.close()
		}
		if t.collection != nil {
			t.collection.Close()
		}
	})
	return nil
}
