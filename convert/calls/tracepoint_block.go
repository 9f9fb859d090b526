package calls

import (
	"bytes"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/block"
)

// actions are the tracepoints of the block layer (include/trace/events/block.h) that move a request on, with the
// actions that blktrace makes of the same.
var actions = map[string]block.Action{
	"block_bio_queue": block.Queue, "block_rq_issue": block.Issue, "block_rq_requeue": block.Requeue,
	"block_rq_complete": block.Complete, "block_bio_complete": block.Complete,
}

// blockEvent reads what a tracepoint prints: "254,0 WS 65536 () 346086152 + 128 be,0,4 [dd]".
func (r *eventReader) blockEvent(e *block.Event, action block.Action, l *eventLine) (ok bool) {
	*e = block.Event{Time: r.last, Action: action, PID: l.pid}
	numbers, rest, ok1 := bytes.Cut(l.rest, []byte(" "))
	letters, rest, ok2 := bytes.Cut(bytes.TrimLeft(rest, " "), []byte(" "))
	plus := bytes.Index(rest, []byte(" + "))
	if !ok1 || !ok2 || plus < 0 {
		return false
	}
	if e.Device, ok = block.ParseDevice(numbers); !ok {
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
	within := block.Bracketed(rest)
	if action == block.Complete {
		if n, ok := convert.ParseInt(within, 16); ok && n < 0 {
			e.Error = int32(-n)
		}
	} else if action != block.Requeue {
		e.Command = r.texts.Get(within)
	}
	e.Op, e.Flags, ok = block.ParseRWBS(string(letters), int64(n)*512)
	return ok
}
