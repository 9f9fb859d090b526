package profile

import "github.com/iotrace/iotrace/trace"

// OpFiles says how many files the calls of an operation were on, and where these lie.
type OpFiles struct {
	Op    trace.Op `json:"op"`    // on names and attributes, or a read, a write or a sync
	Calls int64    `json:"calls"` // on files whose name is known
	Files int64    `json:"files"` // different files, directories and names of nothing
	// the deepest directory that more than nine tenths of their time were spent in or below; if it is missing, what
	// follows is of all calls
	Under      string `json:"under,omitempty"`
	UnderFiles int64  `json:"under_files"` // in or below it
	UnderCalls int64  `json:"under_calls"` // on these
	UnderNS    int64  `json:"under_ns"`    // in these calls, added over threads
}

// FilesOf are the files of an operation; nil if there are no two, or no two in or below that directory.
func (p *Profile) FilesOf(op trace.Op) *OpFiles {
	for i := range p.OpFiles {
		if f := &p.OpFiles[i]; f.Op == op && f.UnderFiles > 1 {
			return f
		}
	}
	return nil
}
