package tracer

import "github.com/iotrace/iotrace/trace"

// Rememberer is a sink that remembers files, or passes events on to one that does.
type Rememberer interface {
	// Gone is told of files that no event refers to any more, as by a Forgetter.
	Gone(files []trace.FileID)
}

// Gone tells a sink of such files if it remembers any.
func Gone(s trace.Sink, files []trace.FileID) {
	if r, ok := s.(Rememberer); ok {
		r.Gone(files)
	}
}

// Gone implements Rememberer.
func (q *quiet) Gone(files []trace.FileID) { Gone(q.Sink, files) }

// Gone implements Rememberer.
func (n *narrowed) Gone(files []trace.FileID) {
	for _, id := range files {
		n.unwanted.remove(id)
	}
	Gone(n.Sink, files)
}

// Gone implements Rememberer.
func (u *unusedFiles) Gone(files []trace.FileID) {
	for _, id := range files {
		delete(u.young, id)
		delete(u.old, id)
	}
	Gone(u.Sink, files)
}
