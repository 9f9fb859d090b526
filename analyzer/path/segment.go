// Package path finds the critical path of a recording: the chain of waits from the return of the command back to its
// start. Each instant of that time is one segment: a thread ran, was ready to run, or waited for a request, a timer
// or something outside the recording. What a thread waited for is followed through whoever woke it, so the parts add
// up to the time.
//
// Of servers and other programs that were recorded without a command it says what they did. For each time that they
// were asked, it has how long that took and why, gathered by kind. Of what a flight recorder was triggered by, it has
// the chain of the operation, and how the load of devices differed from before.
// It is a package of its own, as every collector is: none knows another.
package path

import "github.com/iotrace/iotrace/trace"

// Segment is a stretch of the path.
type Segment struct {
	From, To int64
	What     What
	Cause    trace.WaitCause
	Behind   trace.Op     // call of the recorded thread that waits for this one at the file of both their calls; 0: none
	Locked   trace.FileID // for whose lock a recorded thread waits that this one holds; 0: none
	Thread   uint32       // that ran, was ready or waited
	Call     Call         // that the path is in: of the last recorded thread on the way to this one
	Request  Request      // waited for, if What is Service, Queued, Server, Unsent or Reply
	Beyond   uint32       // thread of another program that waits for this one, or for one that does; 0: none
	Depth    int          // threads that wait for this one
	Ask      uint32       // by number, that the thread works for as a server; 0: it is none
}

// What somebody did in a segment of the path.
type What uint8

// The kinds of segments.
const (
	Runs      What = 1 + iota // on a CPU
	Ready                     // could have run, and others did
	Service                   // waits for a request that a device serves
	Queued                    // waits for a request that the block layer holds
	Throttled                 // held back because too much is dirty
	Sleeps                    // for a time of its own choice
	Timeout                   // waited for something that did not happen in time
	Outside                   // waits for an interrupt of no request: a packet, a person
	Unseen                    // waits for a thread that was not recorded yet
	Unknown                   // waits, and what for was not recorded
	Drains                    // the command has returned; its data is being written back
	Stopped                   // by a signal, until Request.By continued it
	Traced                    // for Request.By, which traces it
	Frozen                    // with its control group, until Request.By thawed that
	Thaw                      // for a frozen file system, until Request.By thawed it
	Server                    // waits for a server to answer an RPC
	Unsent                    // waits for an RPC that the client has not sent yet
	Reply                     // waits for the client to take the reply to an RPC
	numWhats
)

var whatNames = [numWhats]string{"none", "runs", "ready", "service", "queued", "throttled", "sleeps", "timeout",
	"outside", "unseen", "unknown", "drains", "stopped", "traced", "frozen", "thaw", "server", "unsent", "reply"}

func (w What) String() string {
	if int(w) < len(whatNames) {
		return whatNames[w]
	}
	return whatNames[0]
}

// Call is a call or a page fault that a thread is in; Op is OpOther and File is 0 outside of them.
type Call struct {
	Op    trace.Op
	In    bool // a recorded call
	Polls bool // none, as the recorded thread waits for a descriptor (poll, select, epoll)
	Fault bool
	Copy  bool // none, as the thread is of a process that was forked and has not executed a program yet
	File  trace.FileID
}

// Request is what the path says of a request.
type Request struct {
	Device trace.DeviceID
	Op     trace.ReqOp
	Flags  trace.ReqFlags
	File   trace.FileID
	By     uint32 // process that is not recorded, whose request it is; or that let the thread go on
	Ask    uint32 // what was asked of a server, by number; 0 if it is of a device
}

func requestOf(e *trace.Request) Request {
	r := Request{Device: e.Device, Op: e.Op, Flags: e.Flags, File: e.File}
	if e.Flags&trace.ReqForeign != 0 {
		r.By = e.PID
	}
	return r
}
