package tracer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/output"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
	"github.com/iotrace/iotrace/tracer/machine"
)

// The reasons why a recording ended, as End.Reason has them.
const (
	reasonExit     = "exit"     // the command, or every process attached to, has ended
	reasonDuration = "duration" // the time was over
	reasonSignal   = "signal"   // a signal asked for it
	reasonError    = "error"    // recording failed; the command went on
)

const (
	// exitSeen bounds the wait until the reader has come to the command's exit.
	exitSeen = time.Second
	// pollEvery is how often attached processes are looked at.
	pollEvery = 100 * time.Millisecond
)

// run follows the recording that begin has started to its end.
func (r *recording) run() (*Result, error) {
	r.Monitor.enter(Running)
	r.end = trace.End{CommandEnd: -1, Durable: -1, ExitCode: -1}
	r.end.Reason = r.await()
	if r.end.Reason == reasonExit {
		r.drain()
	}
	r.Monitor.enter(Finishing)
	err := r.finish()
	r.leave(err)
	r.Monitor.enter(Done)
	result := &Result{Path: r.out.Path(), End: r.end, Ended: r.work != nil && r.ended(), ExitCode: r.exitCode()}
	if result.Ended {
		result.KilledBy = r.work.KilledBy()
	}
	return result, err
}

// await returns why the recording is to end.
func (r *recording) await() (reason string) {
	var timeout, poll <-chan time.Time
	if r.Duration > 0 {
		t := time.NewTimer(r.Duration)
		defer t.Stop()
		timeout = t.C
	}
	if r.work == nil && !r.Scope.endless() {
		t := time.NewTicker(pollEvery)
		defer t.Stop()
		poll = t.C
	}
	for {
		select {
		case <-r.workExited():
			r.commandEnded()
			return reasonExit
		case <-poll:
			if len(r.watch.running()) == 0 {
				return reasonExit
			}
		case <-timeout:
			return reasonDuration
		case <-r.endAsked():
			return reasonSignal
		case err := <-r.copied:
			r.copied <- err // for finish
			return r.sourceEnded(err)
		}
	}
}

// sourceEnded returns why the source has ended by itself. One that follows the recorded processes, as strace does, ends
// with them, and may be a moment ahead of what tells us of their end.
func (r *recording) sourceEnded(err error) (reason string) {
	switch {
	case err != nil:
		return reasonError
	case r.work == nil && len(r.watch.running()) == 0:
		return reasonExit
	}
	select {
	case <-r.workExited():
		r.commandEnded()
		return reasonExit
	case <-time.After(exitSeen):
		return reasonError
	}
}

// workExited is closed when the command ends; nil without a command.
func (r *recording) workExited() <-chan struct{} {
	if r.work == nil {
		return nil
	}
	return r.work.Exited()
}

// endAsked is closed when a signal asks to end the recording before the
// command has ended: the second one, as the first is the command's.
func (r *recording) endAsked() <-chan struct{} {
	switch {
	case r.Signals == nil:
		return nil
	case r.work != nil:
		return r.Signals.second
	}
	return r.Signals.first
}

// commandEnded notes the command's end and lets the reader catch up with it, so
// that the source knows all that was written.
func (r *recording) commandEnded() {
	r.end.CommandEnd, r.end.ExitCode, r.end.Charged = r.source.Now(), r.work.ExitCode(), r.work.Charged()
	select {
	case <-r.watch.exited(uint32(r.work.PID())):
	case <-time.After(exitSeen):
	case err := <-r.copied:
		r.copied <- err
	}
}

// drain has what was written made durable and notes when it was.
func (r *recording) drain() {
	if left := r.leftBehind(); len(left) > 0 {
		r.note("%d recorded processes were still running when the command had ended (the first is %d): what they did later "+
			"is not in the trace.", len(left), left[0])
	}
	if r.Drain <= 0 {
		return
	}
	r.Monitor.enter(Draining)
	files := slices.DeleteFunc(r.written(), func(f trace.File) bool { return trace.InMemory(f.FSType) })
	if len(files) == 0 && r.end.CommandEnd >= 0 { // nothing is written back: to read the last events took the time
		r.end.Durable = r.end.CommandEnd
		return
	}
	if err := drain(files, time.Now().Add(r.Drain), r.drainStopped()); err != nil {
		r.note("Waiting for the data to reach the device was given up: %v.", err)
		return
	}
	r.end.Durable = r.source.Now()
}

// leftBehind lists what a command has started and not waited for. Processes
// that are recorded for another reason are not among them.
func (r *recording) leftBehind() []uint32 {
	if r.others() {
		return nil
	}
	return r.watch.running()
}

// others reports whether processes are recorded that are not the command's.
func (r *recording) others() bool { return !r.Scope.nothing() }

// drainStopped is closed by the next signal.
func (r *recording) drainStopped() <-chan struct{} {
	if r.Signals == nil {
		return nil
	}
	if _, already := r.Signals.interrupted(); already {
		return r.Signals.second
	}
	return r.Signals.first
}

func (r *recording) note(format string, args ...any) {
	r.end.Warnings = append(r.end.Warnings, fmt.Sprintf(format, args...))
}

// noteAbsent says who was to be recorded and was not there.
func (r *recording) noteAbsent() {
	for _, name := range r.watch.absent() {
		r.note("No process was named %q, before or during the recording: `ps -e` lists the names.", name)
	}
	if r.Scope.Memberships() && !r.watch.anybody() {
		r.note("No process was recorded: none was of this scope: %s.", r.Scope.memberships())
	}
}

// finish takes what is still in the buffers, detaches the probes and completes
// the file. After an error of the file it holds what was written before.
func (r *recording) finish() error {
	r.countDrives()
	r.cancel()
	err := <-r.copied
	close(r.flushing)
	r.noteAbsent()
	<-r.began
	running := r.watch.running()
	r.watch.remain(running, r.source.Now())
	if r.end.CommandEnd < 0 && !r.others() && slices.Contains(running, uint32(r.work.PID())) {
		r.end.Charged = machine.ChargeSoFar(running)
	}
	r.end.Duration = r.source.Now()
	r.end.Processors, r.end.Holders = r.processors.Close(), r.holders.Close()
	if r.narrowed != nil { // whom a lock was waited for is not recorded
		r.end.Holders = nil
	}
	r.end.CacheDrops, r.end.Reclaimed = r.cache.Close()
	if r.others() {
		r.end.Accepted = machine.Accepted(running)
	}
	if r.users != nil {
		r.end.Users = r.users.most()
	}
	groups := r.cgroups.Close()
	r.end.IOLimits, r.end.Memory = groups.Limits, groups.Memory
	if r.end.Processors != nil {
		r.end.Processors.Held = groups.Held
		r.end.Processors.Others = r.runners.most(r.watch.recorded)
	}
	r.askSource()
	r.end.Recorder.ReaderCPU = int64(cpuTime() - r.cpu)
	r.end.Recorder.MaxRSS = host.MaxRSS()
	detached := r.source.Close()

	// The source fails with the error of the file, if that is what failed.
	broken := r.watch.flush()
	if err != nil && broken == nil {
		err = fmt.Errorf("recording: %w", err)
		r.end.Error = err.Error()
	}
	if l, ok := r.source.(FileLister); ok && r.Contents && r.end.Reason == reasonExit && broken == nil {
		contents(r.used(l), r.User.Identity(), r.source.Now()).into(&r.end)
	}
	closed := r.trace.Close(r.end)
	if broken == nil {
		broken = closed
	}
	r.reserved()
	if broken != nil {
		err = rescue(r.out, r.trace, &r.end, broken)
	}
	err = errors.Join(err, complete(r.out))
	if closed := r.out.Close(); closed != nil {
		err = errors.Join(err, fmt.Errorf("closing the trace: %w", closed))
	}
	return errors.Join(err, detached)
}

// askSource takes what the source knows of the recording as a whole.
func (r *recording) askSource() {
	if l, ok := r.source.(MountLister); ok {
		r.end.Mounts, r.end.SyncedDirs = r.Scope.Only.Mounts(l.Mounts())
	}
	if s, ok := r.source.(Sampler); ok {
		r.end.Samples = s.Samples()
	}
	r.end.Recorder = r.source.Stats().Cost
	if n, ok := r.source.(Noter); ok {
		r.end.Warnings = append(r.end.Warnings, n.Notes()...)
	}
}

// leave waits for a command that outlives its recording, unless the user wants
// to end.
func (r *recording) leave(failed error) {
	if r.work == nil || r.end.Reason == reasonExit || r.end.Reason == reasonSignal {
		return
	}
	if failed != nil {
		r.warn(fmt.Errorf("%w; recording has stopped, the command goes on", failed))
	}
	r.Monitor.enter(Waiting)
	select {
	case <-r.work.Exited():
	case <-r.endAsked():
	}
}

// exitCode is the status to leave with.
func (r *recording) exitCode() int {
	if r.work == nil {
		return 0
	}
	if r.ended() {
		return r.work.ExitCode()
	}
	return 128 + int(r.Signals.number) // two signals: the command is on its own
}

// ended is true if the command has ended.
func (r *recording) ended() bool {
	select {
	case <-r.work.Exited():
		return true
	default:
		return false
	}
}

// recording is a run of Record.
type recording struct {
	Options
	out        *output.File
	work       *Workload // nil without a command
	source     Source
	trace      *tracefile.Writer
	watch      *watch
	cancel     context.CancelFunc
	processors machine.Processors
	runners    runners
	cache      machine.Cache
	cgroups    *machine.GroupSearch
	drives     *machine.Drives
	bounded    *bounded
	holders    *machine.HolderSearch
	users      *users        // nil if all are recorded
	narrowed   *narrowed     // nil if nothing is left out
	copied     chan error    // the source's Record has returned this
	flushing   chan struct{} // closed to end the periodic flush
	began      chan struct{} // closed when the trace has its name
	cpu        time.Duration // of this process when recording began
	end        trace.End
	reserved   func() // gives back the room that is kept for the end of the trace
}

func (r *recording) warn(err error) {
	if r.Warn != nil {
		r.Warn(err)
	}
}

// interrupted is an *InterruptedError if a signal has come.
func (r *recording) interrupted() error {
	if r.Signals == nil {
		return nil
	}
	if s, ok := r.Signals.interrupted(); ok {
		return &InterruptedError{s}
	}
	return nil
}
