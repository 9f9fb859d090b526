package content

import (
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/table"
)

// Path is what the critical path was made of.
func Path(p *profile.Profile) *table.Table {
	t := &table.Table{ID: "path", Title: "Critical path",
		Note: "The chain of waits from the end back to the start: each instant is in one row. * is not recorded itself."}
	if p.Path == nil {
		return t
	}
	if p.Path.OmittedNS > 0 {
		t.Note += " Left out: " + unit.Nanoseconds(p.Path.OmittedNS) + " in small parts."
	}
	rows := p.Path.Parts
	return t.Fill(
		table.Numbers("", "share of the time", 0, table.Shares, rows, func(x profile.PathPart) float64 { return x.Share }),
		table.Numbers("time", "", 0, table.Times, rows, func(x profile.PathPart) float64 { return float64(x.NS) }),
		table.Numbers("times", "how often", 1, table.Plain, rows,
			func(x profile.PathPart) float64 { return float64(x.Count) }),
		table.Numbers("longest", "", 2, table.Times, rows, func(x profile.PathPart) float64 { return float64(x.LongestNS) }),
		table.Words("who", "program, or thread of the kernel", 0, rows,
			func(x profile.PathPart) string { return pathWho(&x.Place) }),
		table.Words("in", "call of the workload", 1, rows, func(x profile.PathPart) string {
			if x.Place.Fault {
				return "page fault"
			}
			return visible.Text(x.Place.Call)
		}),
		table.Labels("does", rows, func(x profile.PathPart) string { return pathDoes(&x.Place) }),
	)
}

// pathWho names a thread; a star marks one that was not recorded itself.
func pathWho(x *profile.PathPlace) string {
	who := visible.Text(x.Process)
	if x.Helper {
		who += "*"
	}
	return who
}

// pathWords says what somebody did in a segment.
var pathWords = map[string]string{
	"runs": "runs", "ready": "ready, without a CPU", "throttled": "held back: too much dirty",
	"sleeps": "sleeps", "timeout": "waits until a timeout",
	"outside": "waits for a packet or a terminal", "unseen": "works, not recorded",
	"stopped": "is stopped by a signal", "traced": "is stopped by who traces it", "frozen": "is frozen",
	"thaw":    "waits for a frozen file system",
	"unknown": "waits, not known for what", "drains": "writes back",
}

// rpcWords say so of what a server was asked for.
var rpcWords = map[string]string{
	"server": "waits for ", "unsent": "waits until the client sends ", "reply": "takes the reply to ",
}

func pathDoes(x *profile.PathPlace) string {
	words := pathWords[x.What]
	request := visible.Text(strings.ReplaceAll(x.Request, "_", " "))
	switch {
	case x.What == "service":
		words = "waits for " + visible.Text(x.Device) + ": " + request
	case x.What == "queued":
		words = "in the queue: " + request + " at " + visible.Text(x.Device)
	case x.RPC != "":
		words = rpcWords[x.What] + visible.Text(wording.RPC(x))
	case x.What == "drains" && x.Device != "":
		words += ": " + request + " at " + visible.Text(x.Device)
	}
	if x.File != "" {
		words += ", " + visible.Text(x.File)
	}
	return words
}
