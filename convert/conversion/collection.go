package conversion

// This file adds many traces to the tables of one directory, several at once. What is there already is left
// as it is, so an interrupted run is taken up by the same one.

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/iotrace/iotrace/internal/output"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// Run adds traces to a directory.
type Run struct {
	Folder func(path, name string, to output.Destination) (*tracefile.Reader, error)
	To     output.Destination
	Of     func(path string) (Trace, error)       // the trace to read in the place of one
	Added  func(path string, r *tracefile.Reader) // of each that was added, one at a time; may be nil

	names sync.Map // a lock for each name of traces, which may be of the same place

	mu    sync.Mutex
	state state
}

// state is how far a run is.
type state struct {
	Traces, Added, Present, Failed int
	Bytes, Read                    int64 // of all traces, and of those that are done
	began                          time.Time
}

// All adds the traces at paths. One that fails does not keep the others out.
func (r *Run) All(paths []string) error {
	state := state{Traces: len(paths), began: time.Now()}
	sizes := make([]int64, len(paths))
	for i, path := range paths {
		if st, err := os.Stat(path); err == nil { // otherwise adding it says so
			sizes[i] = st.Size()
			state.Bytes += st.Size()
		}
	}
	r.mu.Lock()
	r.state = state
	r.mu.Unlock()
	failed := make([]error, len(paths)) // in the order of the paths, whichever ends first
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(paths)) {
		workers.Go(func() {
			for i := range next {
				failed[i] = r.done(r.add(paths[i]), paths[i], sizes[i])
			}
		})
	}
	for i := range paths {
		next <- i
	}
	close(next)
	workers.Wait()
	return errors.Join(failed...)
}

// add adds one trace.
func (r *Run) add(path string) error {
	t, err := r.Of(path)
	if err != nil {
		return err
	}
	defer t.Done()
	lock, _ := r.names.LoadOrStore(t.Name, &sync.Mutex{})
	lock.(*sync.Mutex).Lock()
	defer lock.(*sync.Mutex).Unlock()
	read, err := r.Folder(t.Path, t.Name, r.To)
	if err == nil && r.Added != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.Added(path, read)
	}
	return err
}

// done counts a trace, and says what failed.
func (r *Run) done(err error, path string, size int64) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state.Read += size
	switch {
	case err == nil:
		r.state.Added++
	case errors.Is(err, output.ErrPresent):
		r.state.Present++
	default:
		r.state.Failed++
		return fmt.Errorf("exporting %s: %w", path, err)
	}
	return nil
}

// state is how far the run is; it may be asked while it runs.
func (r *Run) State() state {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state
}

// Line is a state in one line.
func (s state) Line() string {
	if s.Traces < 2 {
		return ""
	}
	line := fmt.Sprintf("exported %d of %d traces, %s of %s", s.Added+s.Present, s.Traces,
		unit.Bytes(s.Read), unit.Bytes(s.Bytes))
	if s.Present > 0 {
		line += fmt.Sprintf(", %d were there already", s.Present)
	}
	if s.Failed > 0 {
		line += fmt.Sprintf(", %d failed", s.Failed)
	}
	if passed := time.Since(s.began); s.Read > 0 && s.Read < s.Bytes && passed > time.Second {
		left := time.Duration(float64(passed) / float64(s.Read) * float64(s.Bytes-s.Read))
		line += ", about " + unit.Duration(left.Round(time.Second)) + " left"
	}
	return line
}
