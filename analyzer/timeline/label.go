package timeline

import "github.com/iotrace/iotrace/trace"

// Label is what an instant of the recording was spent on. Where several would
// do, the first one in this order wins: what the device does explains the time
// better than what the threads do, and a thread that runs better than one that
// is blocked.
type Label uint8

// The labels, in the order in which they win.
const (
	DeviceBoth  Label = iota // reads and writes in flight at a device
	DeviceRead               // only reads
	DeviceWrite              // only writes
	DeviceOther              // only flushes, discards and the like
	Queued                   // none at a device, but requests wait in the block layer
	Throttled                // device idle; a thread is held back because too much data is dirty
	Sync                     // device idle; a thread is in fsync or the like
	PageCache                // device idle; a thread runs in a call that moves file data
	Metadata                 // device idle; a thread runs in a call on names, attributes or allocation
	OtherCall                // device idle; a thread runs in another recorded call, or in a page fault
	CPU                      // device idle; a thread runs outside of recorded calls
	// device idle; a thread could run (its I/O is done, or it was interrupted), but no processor runs it
	Ready
	IOWait   // device idle; a thread waits for I/O
	Blocked  // device idle; a thread is blocked in a call: a lock, a pipe
	Waiting  // every thread is blocked outside of recorded calls, or until it is asked for something
	Outside  // outside of recorded calls; running or not is not recorded
	Draining // the command has returned; its data is written back
	NumLabels
)

var labelNames = [NumLabels]string{
	"device_both", "device_read", "device_write", "device_other", "queued", "throttled", "sync", "page_cache", "metadata",
	"other_call", "cpu", "ready", "io_wait", "lock", "waiting", "outside", "draining",
}

func (l Label) String() string { return labelNames[l] }

// Class is the kind of call a thread is in.
type Class uint8

// The classes of calls.
const (
	NoCall     Class = iota
	DataCall         // moves data of a file
	MetaCall         // names, attributes, allocation
	SyncCall         // fsync and the like
	OtherClass       // anything else: pipes, sockets, page faults
	AsyncCall        // submits or collects asynchronous operations
	AskedCall        // reads what to do next, as servers do: to be blocked in it holds nobody back
)

// ClassOf is the class of a call; data says that a file that it works on holds data.
func ClassOf(op trace.Op, data bool) Class {
	switch {
	case op.MovesData() && data:
		return DataCall
	case op.MovesData():
		return OtherClass
	case op.Durability():
		return SyncCall
	case op == trace.OpAccept:
		return AskedCall
	case op == trace.OpUringEnter || op == trace.OpAIOSubmit || op == trace.OpAIOGetEvents:
		return AsyncCall
	case op.Metadata(), op == trace.OpClone, op == trace.OpCloneRange, op == trace.OpMmap, op == trace.OpMunmap:
		return MetaCall
	}
	return OtherClass
}

// Cause is why a thread is off the CPU.
type Cause uint8

// The causes of waits.
const (
	NoWait Cause = iota
	WaitIO
	WaitThrottle
	WaitCall
	WaitOther
	WaitReady // for a processor: it was taken away
)

// Direction is what a request does to a device.
type Direction uint8

// The directions of requests.
const (
	Read Direction = iota
	Write
	OtherRequest
)
