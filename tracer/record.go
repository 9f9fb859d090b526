package tracer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/output"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
	"github.com/iotrace/iotrace/tracer/machine"
)

// Options say what to record and where to.
type Options struct {
	Command []string // to run and record; may be empty
	User    *User    // who runs the command; nil means the caller
	Scope   Scope    // further processes; Launch is filled in
	// Open makes the backend. It is called when the command is already held, so
	// that nothing a backend does to this process (raised limits, open files)
	// reaches the command.
	Open func() (Source, error)

	Output    string        // file name, or Stdout
	Owner     *User         // who gets the files, and with whose rights they are made; nil means the caller
	Force     bool          // replace an existing file
	Duration  time.Duration // 0: no limit
	Drain     time.Duration // at most this long after the command's end; 0: not at all
	Contents  bool          // sample files that may be copies of one another
	ReadyFile string        // created when the probes are attached
	Tool      string        // name and version for the header

	Signals *Signals // nil: signals keep their default effect
	Monitor *Monitor // nil: nobody looks on
	// Warn, if set, is called with a message that cannot wait for the end.
	Warn func(error)
}

// Result is what a recording that began has come to.
type Result struct {
	Path  string // of the trace; "-" for standard output
	End   trace.End
	Ended bool // the command has, perhaps after its recording
	// ExitCode is the command's exit status, 128 and the signal if it was
	// killed. Without a command, or if the recording was ended before it, 0 or
	// 128 and the signal that ended the recording.
	ExitCode int
	KilledBy syscall.Signal // the signal that killed the command, 0 if it ended by itself, or has not
}

// Record runs a recording from the first probe to the last byte of the trace.
//
// If it never began, the result is nil, nothing was run and no file is left.
// Otherwise there is a result, even with an error: the error then says what
// went wrong with the recording, which the command did not notice.
func Record(o Options) (*Result, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	out, err := createOutput(o.Output, o.Force, o.Owner)
	if err != nil {
		return nil, err
	}
	r := &recording{Options: o, out: out, reserved: out.Reserve(tail)}
	if err := r.begin(); err != nil {
		return nil, errors.Join(err, r.abandon())
	}
	return r.run()
}

func (o *Options) check() error {
	if len(o.Command) == 0 && o.Scope.nothing() {
		return errors.New("nothing to record: want a command, a process ID, a name, a control group, a user or all processes")
	}
	for _, pid := range o.Scope.PIDs {
		if !host.Running(pid) {
			return fmt.Errorf("attaching to process %d: no such process", pid)
		}
	}
	return nil
}

// begin does everything up to the moment when the command runs.
func (r *recording) begin() error {
	r.Monitor.enter(Attaching)
	scope := r.Scope
	if len(r.Command) > 0 {
		work, err := Launch(Command{Args: r.Command, User: r.User, StdoutToStderr: r.Output == Stdout})
		if err != nil {
			return err
		}
		r.work = work
		scope.Launch = uint32(work.PID())
	}
	scanners := machine.Scanners()
	source, err := r.Open()
	if err != nil {
		return err
	}
	r.source = source
	if err := source.Attach(scope); err != nil {
		return fmt.Errorf("attaching to %s: %w", scope.describe(), err)
	}
	header := NewHeader(&r.Options, scope, source)
	if r.trace, err = tracefile.NewWriter(r.out, header); err != nil {
		return err
	}
	r.copyEvents(header.PIDs, scanners)
	if err := r.release(); err != nil {
		return err
	}
	r.announce()
	return nil
}

// release lets the command go, unless a signal has come in the meantime.
func (r *recording) release() error {
	if r.Signals != nil {
		r.Signals.forwardTo(r.work)
	}
	if err := r.interrupted(); err != nil {
		return err
	}
	if r.work == nil {
		return nil
	}
	held, _ := host.ProcessCPU(r.work.PID())
	r.watch.discount(uint32(r.work.PID()), held)
	err := r.work.Release()
	if err == nil {
		return nil
	}
	if early := r.interrupted(); early != nil {
		return early // the signal went to the held process
	}
	return err
}

// announce makes the beginning of the recording visible: the trace gets its
// name when the first events are in the file, so that there is never a trace
// without any. The command runs by now: whatever fails here must not stop it,
// and nothing here must be waited for.
func (r *recording) announce() {
	r.began = make(chan struct{})
	go func() {
		defer close(r.began)
		r.watch.firstWritten(r.flushing)
		if err := r.out.Commit(); err != nil {
			r.warn(err)
		}
		if r.ReadyFile != "" {
			if err := Ready(r.ReadyFile, r.Owner); err != nil {
				r.warn(fmt.Errorf("creating ready file: %w", err))
			}
		}
	}()
}

// Ready makes the file that says that the probes are attached.
func Ready(path string, owner *User) error {
	f, err := output.Create(path, output.Options{Replace: true, As: owner.Identity()})
	if err != nil {
		return err
	}
	_, err = f.WriteString("ready\n")
	if err == nil {
		err = f.Commit()
	}
	return errors.Join(err, f.Close())
}

// copyEvents starts the flow of events from the kernel to the trace.
func (r *recording) copyEvents(pids []uint32, scanners <-chan []trace.Holder) {
	r.cpu = cpuTime()
	r.watch = newWatch(r.trace, pids)
	r.watch.expect(r.Scope.Names)
	r.Monitor.follow(r.watch)
	r.processors, r.cache, r.runners = machine.OpenProcessors(), machine.OpenCache(), newRunners()
	r.cgroups = machine.OpenGroups(r.watch.sample, r.source.Now)
	r.drives = machine.OpenDrives(r.source.Now)
	r.holders = machine.OpenHolders(scanners, r.watch.sample, r.watch.recorded)
	r.flushing = make(chan struct{})
	go r.watch.flushUntil(r.flushing)
	ctx, cancel := context.WithCancel(context.Background())
	r.cancel, r.copied = cancel, make(chan error, 1)
	sink := trace.Sink(r.watch)
	if !r.Scope.All {
		r.users = newUsers(newUnusedFiles(sink, pids))
		sink = r.users
	}
	if !r.Scope.Only.Everything() {
		r.watch.to = newQuiet(r.watch.to, pids)
		r.narrowed = r.Scope.Only.sink(sink)
		sink = r.narrowed
	}
	r.bounded = &bounded{Sink: sink, until: math.MaxInt64}
	if r.work != nil && !r.others() {
		r.bounded.from = r.drives.At() // the command is held by then
	}
	go func() { r.copied <- r.source.Record(ctx, guarded{r.bounded, &r.watch.mu}) }()
}

// abandon undoes what begin has done.
func (r *recording) abandon() error {
	r.reserved()
	if r.cancel != nil {
		r.cancel()
		<-r.copied
		close(r.flushing)
		r.cgroups.Close()
		r.holders.Close()
		_ = r.trace.Close(r.end)
	}
	if r.work != nil {
		r.work.Abandon()
	}
	if r.source != nil {
		_ = r.source.Close() // the reason to give up matters, not this
	}
	return r.out.Discard()
}

// InterruptedError is a recording that a signal ended before it began.
type InterruptedError struct{ Signal unix.Signal }

func (e *InterruptedError) Error() string {
	return fmt.Sprintf("interrupted by %s before the recording began", unix.SignalName(e.Signal))
}

// cpuTime is the CPU time of this process, without that of the command, which
// counts among its children.
func cpuTime() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// written are the files that were recorded and have to get to their devices.
func (r *recording) written() []trace.File {
	list := r.source.Written()
	if r.narrowed == nil {
		return list
	}
	r.watch.mu.Lock() // files still come
	defer r.watch.mu.Unlock()
	return slices.DeleteFunc(list, func(f trace.File) bool { return !r.narrowed.selects(&f) })
}

// used are the files that were recorded and may be copies of one another.
func (r *recording) used(l FileLister) []UsedFile {
	list := l.Used()
	if r.narrowed == nil {
		return list
	}
	return slices.DeleteFunc(list, func(f UsedFile) bool { return !r.narrowed.wanted(f.ID) })
}
