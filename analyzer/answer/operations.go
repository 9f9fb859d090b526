package answer

import (
	"cmp"
	"fmt"
	"path"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
)

// toldKinds is how many kinds of operations the first lines tell.
const toldKinds = 3

// also is the share from which on a kind that is not the first is told.
const also = 0.1

// operations says what a program was asked for, how long that took and what it was; a text for each kind.
func operations(o *profile.Operations) (kinds []string) {
	if o == nil {
		return nil
	}
	answers := map[string]bool{}
	for i := range o.Kinds {
		if k := &o.Kinds[i].Kind; k.Answers {
			answers[k.Process] = true
		}
	}
	for i := range o.Kinds {
		if k := &o.Kinds[i]; !k.Kind.Aside && len(kinds) < toldKinds && (i == 0 || k.Share >= also) {
			kinds = append(kinds, kindOf(k, answers[k.Kind.Process]))
		}
	}
	return kinds
}

// longest tells the longest of several, and what took most of it.
func longest(o *profile.Operations) string {
	if o == nil || o.Count < 2 || len(o.Longest) == 0 {
		return ""
	}
	return longestOf(&o.Longest[0])
}

// kindOf says how often, how long, and what took that long.
func kindOf(k *profile.OperationKind, answers bool) string {
	did := "worked"
	switch {
	case k.Kind.Answers:
		did = "answered"
	case answers:
		did = "worked between answers"
	}
	in := unit.Nanoseconds(int64(float64(k.MedianNS)*float64(k.InNS)/float64(max(k.NS, 1)))) + " of it " + Doing(&k.Kind)
	if k.Count == 1 {
		return fmt.Sprintf("%s %s once: %s, %s", k.Kind.Process, did, unit.Nanoseconds(k.NS), in)
	}
	each := " each"
	if k.P99NS > 2*k.MedianNS {
		each = " (median)"
	}
	return fmt.Sprintf("%s %s %s: %s%s, %s at worst, %s", k.Kind.Process, did, unit.Things(k.Count, "time"),
		unit.Nanoseconds(k.MedianNS), each, unit.Nanoseconds(k.MaxNS), in)
}

// longestOf tells the longest operation, and what took most of it.
func longestOf(x *profile.Operation) string {
	took := unit.Nanoseconds(x.ToNS - x.FromNS)
	if x.Together > 1 {
		took = fmt.Sprintf("%d at once of %s", x.Together, took)
	}
	text := fmt.Sprintf("%s, from %s on, %s", took, unit.Nanoseconds(x.FromNS), Doing(&x.Kind))
	if len(x.Parts) == 0 || 2*x.Parts[0].NS < x.ToNS-x.FromNS {
		return text
	}
	most := &x.Parts[0]
	if most.Count > 1 && InPlace(&most.Place) == Doing(&x.Kind) {
		return fmt.Sprintf("%s (%s of it in %s)", text, unit.Nanoseconds(most.NS), unit.Things(most.Count, "piece"))
	}
	times := ""
	if most.Count > 1 {
		times = fmt.Sprintf(" in %s", unit.Things(most.Count, "piece"))
	}
	return fmt.Sprintf("%s; %s of it%s %s", text, unit.Nanoseconds(most.NS), times, InPlace(&most.Place))
}

// InPlace says what a segment of a path waited for, or did.
func InPlace(x *profile.PathPlace) string {
	who := ""
	if x.Helper {
		who = " (" + x.Process + ")"
	}
	switch x.What {
	case "service":
		return "waiting for " + x.Device + " to " + requestVerbs[x.Request] + by(x) + who
	case "queued":
		return "in the queue of " + x.Device + who
	case "server":
		return "waiting for " + wording.RPC(x) + by(x) + who
	case "unsent":
		return "waiting for the client to send " + wording.RPC(x) + by(x) + who
	case "reply":
		return "taking the reply to " + wording.RPC(x) + who
	case "unseen":
		return "in " + cmp.Or(x.Process, "a program") + ", which was not recorded"
	}
	return doings[x.What] + who
}

// by names a program that was not recorded, if a request was its own.
func by(x *profile.PathPlace) string {
	if x.By == "" {
		return ""
	}
	return " for " + x.By
}

var requestVerbs = map[string]string{
	"read": "read", "write": "write", "flush": "flush", "discard": "discard", "write_zeroes": "write zeros",
	"zone": "work", "other": "work",
}

// doings are what threads do outside of calls, and where a call does not say it.
var doings = map[string]string{
	"runs": "computing", "ready": "waiting for a CPU", "service": "waiting for a drive",
	"queued": "waiting in the queue of a drive", "throttled": "held back, as too much waited to be written",
	"sleeps": "asleep", "timeout": "waiting for a time to pass", "outside": "waiting for somebody outside",
	"stopped": "stopped by a signal", "traced": "stopped by a debugger", "frozen": "frozen",
	"thaw":   "waiting for a frozen file system",
	"server": "waiting for a server", "unsent": "waiting for the client to send a request to a server",
	"reply":  "taking the reply of a server",
	"unseen": "waiting for a thread that was not recorded", "unknown": "waiting, not known for what",
}

// callNames are the names of operations as the people know them who make the calls.
var callNames = map[string]string{
	"datasync": "fdatasync", "sync": "fsync", "sync_range": "sync_file_range", "readdir": "getdents", "lock": "flock",
	"uring_enter": "io_uring_enter", "aio_getevents": "io_getevents", "aio_submit": "io_submit",
	"copy_range": "copy_file_range", "allocate": "fallocate", "attr": "chmod and the like",
}

// Doing is what operations of a kind did for most of their time.
func Doing(k *profile.OperationName) string {
	if k.What != "" {
		return doings[k.What]
	}
	text := "in " + cmp.Or(callNames[k.Call], k.Call)
	if k.Fault {
		text = "in page faults"
	}
	if k.File != "" {
		text += " of " + path.Base(k.File)
	}
	return text
}
