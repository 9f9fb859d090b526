package whatif

import (
	"errors"
	"fmt"

	"github.com/iotrace/iotrace/analyzer/program"
	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// loadSchedule reads the trace at path. It refuses one that says too little for a
// prediction, with the reason.
func loadSchedule(path string) (*Program, error) {
	f, err := tracefile.Open(path)
	if err != nil {
		return nil, err
	}
	s := survey.New(f.Header())
	defer f.Close()
	if err := f.Each(func(b *trace.Batch) error { s.Batch(b); return nil }); err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	end, whole := f.End()
	s.Ended(end, whole, len(f.Damage()))
	return loadSurveyedSchedule(path, s)
}

// loadSurveyedSchedule is Load of a trace that was read once already.
func loadSurveyedSchedule(path string, s *survey.Survey) (*Program, error) {
	if err := sufficient(s); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	e := newEvents(s)
	_, err := program.Read(path, "reading", func(b *trace.Batch) int64 {
		e.batch(b)
		return e.held
	})
	if err != nil {
		return nil, err
	}
	return newProgram(e), nil
}

// maxLost is the share of events that may be missing.
const maxLost = 0.01

// sufficient says what is missing for a prediction.
func sufficient(s *survey.Survey) error {
	var events, lost, noted uint64
	for _, n := range s.Counts {
		events += n
	}
	for _, n := range s.End.Lost {
		lost += n
	}
	for _, n := range s.Lost.Kinds {
		noted += n
	}
	lost = max(lost, noted)
	switch {
	case !s.SeesRequests():
		return errors.New("the trace has no block requests: " +
			"without them nobody knows how long the drive took. Record with eBPF, as root")
	case s.Partial():
		return errors.New("only some devices or files were recorded (--device, --file): what the workload did elsewhere is " +
			"not known. Record it without them")
	case !s.SeesWaits():
		return errors.New("the trace does not say when threads waited: " +
			"what they would have done on another drive cannot be told. Record with eBPF, as root")
	case s.Header.Scope == "import":
		return errors.New("the trace was imported: whether it has all that the workload did is not known. " +
			"Record it with `iotrace record -- COMMAND`")
	case s.Header.Scope != "command":
		return errors.New("recording began while the workload ran (-p, --name or --all): " +
			"what it did before is not known. Record it with `iotrace record -- COMMAND`")
	case !s.Whole:
		return errors.New("the trace has no end: recording was interrupted")
	case s.Damage > 0:
		return errors.New("the trace is damaged: what the workload did is not all there")
	case float64(lost) > maxLost*float64(events):
		return fmt.Errorf("%d events were lost, and %d recorded: more than %g %% are missing", lost, events, 100*maxLost)
	}
	return nil
}
