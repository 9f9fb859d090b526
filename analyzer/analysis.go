package analyzer

import (
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/trace"
)

// analysis is the second reading, which sees every event in the order of
// starts. Its two halves see the same events side by side: accounts keeps the
// books of who moved what, moments follows what happened when. They share only
// what the survey has settled.
type analysis struct {
	*survey
	*accounts
	*moments
	opt     Options
	missing []string // copies of which the devices wrote too little
	window  timeline.Window
}

func newAnalysis(s *survey, opt Options) *analysis {
	s.files.rank(opt.MaxFiles)
	w := s.window()
	return &analysis{survey: s, accounts: newAccounts(s), moments: newMoments(s, opt, w), opt: opt, window: w}
}

// read reads the trace again.
func (a *analysis) read(r *trace.FileReader) error {
	order := timeline.NewOrder(&a.late, func(b *trace.Batch) { batches.Put(b) }, a.accounts, a.moments)
	if err := stream(r, order.Add); err != nil {
		return err
	}
	order.Finish()
	a.sum = a.stack.Finish()
	return nil
}
