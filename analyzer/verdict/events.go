package verdict

import (
	"fmt"
	"strings"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// timer is what the kernel calls the files of timerfd_create(2).
const timer = "timerfd"

// sources are the files without a name that tell of events, by what the kernel calls them, and who causes these.
var sources = map[string]string{
	timer: "itself", "eventfd": "another thread or process", "inotify": "whoever changes the files that it watches",
	"fanotify": "whoever uses the files that it watches", "signalfd": "whoever sends it a signal",
	"userfaultfd": "whoever touches the memory that it serves", "perf_event": "what it measures",
}

// events is the cause if most of the time blocked was in reads of files that tell of events: the program paused, if
// the events were a timer's, and waited for others if not. nil if it was not.
func events(a *account, ns int64) *profile.Reason {
	f, index := most(a.p.Files, func(f *profile.File) int64 {
		if f.Read == nil || sources[source(f)] == "" {
			return none
		}
		return timeOn(f)
	})
	if f == nil || 2*timeOn(f) <= ns {
		return nil
	}
	kind := source(f)
	reads := unit.Things(f.Read.Count, "read")
	r := &profile.Reason{
		Code: cause.OtherEnd, Name: "others, by " + kind, TimeNS: ns, Certainty: cause.Likely,
		Text:   fmt.Sprintf("waiting for events that are caused by %s (%s): %s", sources[kind], kind, reads),
		Remedy: "speed up who causes the events",
		Evidence: []profile.Evidence{
			a.thread("blocked_in_call"), at(fmt.Sprintf("/files/%d/inode", index), float64(f.Inode)),
		},
	}
	if kind == timer {
		r.Code, r.Name, r.Certainty = cause.ThinkTime, "pauses", cause.Measured
		r.Text = fmt.Sprintf("it waited for a timer of its own (%s): %s", kind, reads)
		r.Remedy = "a program that does not wait between blocks"
	}
	return r
}

// source is what the kernel calls a file without a name.
func source(f *profile.File) string {
	if f.Type != trace.FileAnon {
		return ""
	}
	return strings.Trim(strings.TrimPrefix(f.Path, "anon_inode:"), "[]")
}
