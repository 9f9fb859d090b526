package perfetto

import (
	"maps"
	"slices"

	"github.com/iotrace/iotrace/trace"
)

// kind is what a track shows.
type kind uint8

const (
	calls kind = iota // of a thread
	faults
	waits
	operations
	devices
	requests
	someFiles // what the tracks of files stand below
	files
	losses
	clients // of servers
	rpcs
)

// subject is what a track, or several side by side, are about.
type subject struct {
	kind
	a, b uint32
}

// track is the tracks of a subject: one for each lane.
type track struct {
	lanes
	ids []uint64
}

// tracks are all that the trace has. Packets may come before the descriptor of their track.
type tracks struct {
	out    *packets
	all    map[subject]*track
	last   uint64
	files  int // that have one
	titles map[uint32]string
}

func newTracks(out *packets) *tracks {
	return &tracks{out: out, all: map[subject]*track{}, titles: map[uint32]string{}}
}

// only is the number of a track that has no lanes. If it is new, about describes it.
func (t *tracks) only(s subject, about func() (parent uint64, d message)) uint64 {
	tr := t.all[s]
	if tr == nil {
		tr = &track{lanes: lanes{ends: []int64{0}}}
		t.all[s] = tr
		tr.ids = append(tr.ids, t.describe(about()))
	}
	return tr.ids[0]
}

// lane is the number of a track that has room for a slice. Perfetto shows tracks of one
// name, below the same parent, as one.
func (t *tracks) lane(s subject, parent uint64, name string, start, end int64) uint64 {
	tr := t.all[s]
	if tr == nil {
		tr = &track{}
		t.all[s] = tr
	}
	n, begun := tr.take(start, end)
	if begun {
		tr.ids = append(tr.ids, t.describe(parent, message(nil).text(descriptorName, name)))
	}
	return tr.ids[n]
}

// describe writes the descriptor of a new track and returns the track's number.
func (t *tracks) describe(parent uint64, rest message) uint64 {
	t.last++
	d := message(nil).number(descriptorUUID, t.last)
	if parent != 0 {
		d = d.number(descriptorParent, parent)
	}
	t.out.put(message(nil).message(packetTrackDescriptor, append(d, rest...)))
	return t.last
}

func identity(pid, tid uint32) message {
	return message(nil).number(threadPID, uint64(pid)).number(threadTID, uint64(tid))
}

// thread is the track of a thread, with its calls.
func (t *tracks) thread(pid, tid uint32) uint64 {
	return t.only(subject{calls, pid, tid}, func() (uint64, message) {
		return 0, message(nil).message(descriptorThread, identity(pid, tid))
	})
}

// ofThread is the track for a slice of a thread.
func (t *tracks) ofThread(k kind, name string, pid, tid uint32, start, end int64) uint64 {
	return t.lane(subject{k, pid, tid}, t.thread(pid, tid), name, start, end)
}

// device is the track above all of a device.
func (t *tracks) device(id trace.DeviceID, name string) uint64 {
	return t.only(subject{devices, uint32(id), 0}, func() (uint64, message) {
		return 0, message(nil).text(descriptorName, name)
	})
}

// maxFiles bounds the files that have a track of their own.
const maxFiles = 1 << 14

// file is the track for a slice of a file: the first files have tracks of their own.
func (t *tracks) file(id trace.FileID, path string, start, end int64) uint64 {
	top := t.only(subject{someFiles, 0, 0}, func() (uint64, message) {
		return 0, message(nil).text(descriptorName, "files")
	})
	s := subject{files, uint32(id), 0}
	if t.all[s] == nil {
		if t.files++; t.files > maxFiles {
			s, path = subject{files, 0, 0}, "other files"
		}
	}
	return t.lane(s, top, path, start, end)
}

// process learns what a process and its thread are called.
func (t *tracks) process(e *trace.Process) {
	if e.Command == "" || e.Action == trace.ProcessExit {
		return
	}
	if e.Action != trace.ProcessHelper || e.TID == e.PID || t.titles[e.PID] == "" { // else it is the name of a thread
		t.titles[e.PID] = e.Command
	}
	d := identity(e.PID, e.TID).text(threadName, e.Command)
	id := t.thread(e.PID, e.TID)
	t.out.put(message(nil).message(packetTrackDescriptor,
		message(nil).number(descriptorUUID, id).message(descriptorThread, d)))
}

// close names the processes. The trace processor keeps the first name that it is told
// of one; most have their last one for the longest time.
func (t *tracks) close() {
	for _, pid := range slices.Sorted(maps.Keys(t.titles)) {
		t.describe(0, message(nil).message(descriptorProcess,
			message(nil).number(processPID, uint64(pid)).text(processName, t.titles[pid])))
	}
}
