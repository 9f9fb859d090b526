package whatif

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// Load reads the trace at path. It refuses one that says too little for a
// prediction, with the reason.
func Load(path string) (*Recording, error) {
	s, err := surveyed(path)
	if err != nil {
		return nil, err
	}
	if err := sufficient(s); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	e := newEvents(s)
	err = read(path, func(r *tracefile.File, b *trace.Batch) { e.batch(b) }, nil)
	if err != nil {
		return nil, err
	}
	return newRecording(e), nil
}

// surveyed reads the trace for the first time.
func surveyed(path string) (*survey.Survey, error) {
	var s *survey.Survey
	err := read(path, func(r *tracefile.File, b *trace.Batch) {
		if s == nil {
			s = survey.New(r.Header())
		}
		s.Batch(b)
	}, func(r *tracefile.File) {
		if s == nil {
			s = survey.New(r.Header())
		}
		end, whole := r.End()
		s.Ended(end, whole, len(r.Damage()))
	})
	return s, err
}

func read(path string, use func(*tracefile.File, *trace.Batch), end func(*tracefile.File)) error {
	r, err := tracefile.Open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	var b trace.Batch
	for {
		err := r.Next(&b)
		if errors.Is(err, io.EOF) {
			if end != nil {
				end(r)
			}
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading %s: %w", path, err)
		}
		use(r, &b)
	}
}

// maxLost is the share of events that may be missing.
const maxLost = 0.01

// sufficient says what is missing for a prediction.
func sufficient(s *survey.Survey) error {
	var events, lost uint64
	for _, n := range s.Counts {
		events += n
	}
	for _, n := range s.End.Lost {
		lost += n
	}
	switch {
	case !s.SeesRequests():
		return errors.New("the trace has no block requests: " +
			"without them nobody knows how long the drive took. Record with eBPF, as root")
	case !s.SeesWaits():
		return errors.New("the trace does not say when threads waited: " +
			"what they would have done on another drive cannot be told. Record with eBPF, as root")
	case !s.Whole:
		return errors.New("the trace has no end: recording was interrupted")
	case s.Header.Scope != "command":
		return errors.New("recording began while the workload ran (-p, --name or --all): " +
			"what it did before is not known. Record it with `iotrace record -- COMMAND`")
	case float64(lost) > maxLost*float64(events):
		return fmt.Errorf("%d of %d events were lost: more than %g %%", lost, events, 100*maxLost)
	}
	return nil
}

// recording puts together what was gathered.
func newRecording(e *events) *Recording {
	e.order()
	t := newTying(e)
	list := t.known()
	known := map[uint32]bool{}
	for _, id := range list {
		known[id] = true
	}
	t.asks(known)
	quiet(t, list)
	agents := agents(t, known)
	for _, id := range list {
		t.thread(id)
	}
	r := &Recording{requests: e.requests, agents: agents, window: survey.Window(e.survey)}
	r.command = strings.Join(e.survey.Header.Command, " ")
	starts := t.starts(list, known, r.window.Start)
	for i, id := range list {
		r.threads = append(r.threads, t.whole(id, starts[i]))
	}
	r.marks = int(t.marks)
	r.account(t)
	r.devices = make([]*device, len(e.numbers))
	for id, n := range e.numbers {
		r.devices[n] = newDevice(e.survey.Devices.Get(id), n, r.requests)
	}
	return r
}
