package tracepoint

import (
	"bytes"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/requests"
)

// actions are the tracepoints of the block layer (include/trace/events/block.h) that move a request on, with the
// actions that blktrace makes of the same.
var actions = map[string]requests.Action{
	"block_bio_queue": requests.Queue, "block_rq_issue": requests.Issue, "block_rq_requeue": requests.Requeue,
	"block_rq_complete": requests.Complete, "block_bio_complete": requests.Complete,
}

// blockEvent reads what a tracepoint prints: "254,0 WS 65536 () 346086152 + 128 be,0,4 [dd]".
func (r *reader) blockEvent(e *requests.Event, action requests.Action, l *line) (ok bool) {
	*e = requests.Event{Time: r.last, Action: action, PID: l.pid}
	numbers, rest, ok1 := bytes.Cut(l.rest, []byte(" "))
	letters, rest, ok2 := bytes.Cut(bytes.TrimLeft(rest, " "), []byte(" "))
	plus := bytes.Index(rest, []byte(" + "))
	if !ok1 || !ok2 || plus < 0 {
		return false
	}
	if e.Device, ok = requests.ParseDevice(numbers); !ok {
		return false
	}
	sector := rest[bytes.LastIndexByte(rest[:plus], ' ')+1 : plus]
	count, rest, _ := bytes.Cut(rest[plus+3:], []byte(" "))
	n, ok := convert.ParseUint(count, 32)
	if !ok {
		return false
	}
	if e.Sectors = n; n > 0 {
		if e.Sector, ok = convert.ParseUint(sector, 54); !ok {
			return false
		}
	}
	within := requests.Bracketed(rest)
	if action == requests.Complete {
		if n, ok := convert.ParseInt(within, 16); ok && n < 0 {
			e.Error = int32(-n)
		}
	} else if action != requests.Requeue {
		e.Command = r.texts.Get(within)
	}
	e.Op, e.Flags, ok = requests.ParseRWBS(string(letters), int64(n)*512)
	return ok
}
