package flight

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// Asked is a user who wants a trace now.
type Asked struct{ answer chan answer }

type answer struct {
	path string
	err  error
}

// Ask gives a recorder that takes from the channel until it ends a request, and waits for the trace.
func Ask(requests chan<- Asked, ended <-chan struct{}) (path string, err error) {
	over := errors.New("the recorder has ended")
	a := Asked{make(chan answer, 1)}
	select {
	case requests <- a:
	case <-ended:
		return "", over
	}
	select {
	case x := <-a.answer:
		return x.path, x.err
	case <-ended:
		select {
		case x := <-a.answer:
			return x.path, x.err
		default:
			return "", over
		}
	}
}

// ask notes that somebody wants a trace.
func (r *recorder) ask(a Asked) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.wanted == nil {
		now := r.source.Now()
		r.wanted = &pending{trigger: trace.Trigger{Time: now, Start: now}, from: now - int64(r.Keep), due: now}
	}
	r.asking = append(r.asking, a)
}

// reply tells those who asked.
func reply(all []Asked, w Written, err error) {
	for _, a := range all {
		path, wrong := filepath.Abs(w.Path)
		if wrong != nil {
			path = w.Path
		}
		if err != nil {
			path = ""
		}
		a.answer <- answer{path, err}
	}
}

// allow reports whether a condition that holds may have a trace written, of which there are at most AtMost an hour.
func (r *recorder) allow(at int64) bool {
	for len(r.allowed) > 0 && r.allowed[0] <= at-int64(time.Hour) {
		r.allowed = r.allowed[1:]
	}
	if r.AtMost > 0 && len(r.allowed) >= r.AtMost {
		if r.withheld++; r.withheld == 1 {
			r.tell = fmt.Errorf("%s in an hour were written: no more until %s (--at-most); recording goes on",
				unit.Things(int64(r.AtMost), "trace"),
				time.Now().Add(time.Duration(r.allowed[0]+int64(time.Hour)-at)).Format("15:04:05"))
		}
		return false
	}
	r.allowed = append(r.allowed, at)
	return true
}

// told gives out what there is to say, which is not done while events wait.
func (r *recorder) told() {
	r.mu.Lock()
	err := r.tell
	r.tell = nil
	r.mu.Unlock()
	if err != nil {
		r.fail(err)
	}
}
