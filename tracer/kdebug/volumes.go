package kdebug

import (
	"slices"
	"strings"

	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
)

// volumes ties requests to the files of volumes whose file system is a program (FSKit): exFAT and FAT since macOS 15.
// Their data may be moved by the kernel or by the program, and whether the vnode of a request is that of the file is
// not known. Where it is not, the file is inferred: from the device, from the time, which is that of a call on the file
// or after it, and from the size, as no more is written than calls wrote.
type volumes struct {
	d        *Decoder
	byDevice map[trace.DeviceID]*volume
	files    map[trace.FileID]*volume
}

// volume is one of them.
type volume struct {
	flows   []*flow
	servers map[uint32]bool // processes that the trace names
}

// flow is what calls read from a file, or wrote to it.
type flow struct {
	file   trace.FileID
	pid    uint32
	write  bool
	called int64 // bytes of calls that have ended
	asked  int64 // bytes of calls under way
	active int   // calls under way
	served int64 // bytes of requests
	last   int64 // time of the last call
}

const (
	maxFlows = 256 // of a volume
	// writtenLater is how long what was written may stay in memory: macOS writes it back after 30 s.
	writtenLater = 60e9
	readLater    = 1e9      // a request that reads ahead follows a call
	readAhead    = 32 << 20 // and goes no further than this beyond what was asked for
	rounding     = 16 << 10 // the last piece of a file is written as a page
)

func newVolumes(d *Decoder) *volumes {
	return &volumes{d: d, byDevice: map[trace.DeviceID]*volume{}, files: map[trace.FileID]*volume{}}
}

// file takes note of a file that is about to be told of.
func (v *volumes) file(e *trace.File) error {
	kind, served := strings.CutPrefix(e.FSType, macos.UserSpace)
	if served && e.Device != 0 {
		vol := v.byDevice[e.Device]
		if vol == nil {
			vol = &volume{servers: map[uint32]bool{}}
			v.byDevice[e.Device] = vol
			v.find(vol, kind)
		}
		v.files[e.ID] = vol
	}
	return v.d.sink.File(e)
}

// find names the program that serves a volume if it is one of Apple's.
func (v *volumes) find(vol *volume, kind string) {
	if v.d.sys == nil {
		return
	}
	for _, p := range v.d.sys.Processes() {
		if p.Name == macos.FileSystemProgram+kind {
			v.tell(vol, p.PID, p.Name)
		}
	}
}

// tell names a process that serves a volume.
func (v *volumes) tell(vol *volume, pid uint32, name string) {
	if pid == 0 || vol.servers[pid] || len(vol.servers) >= maxServers {
		return
	}
	vol.servers[pid] = true
	if p := v.d.procs[pid]; name == "" && p != nil {
		name = p.name
	}
	if v.d.sys != nil {
		if in, ok := v.d.sys.Inspect(pid); ok && in.Name != "" {
			name = in.Name
		}
	}
	v.d.keep(v.d.sink.Process(&trace.Process{Time: max(v.d.now, 0), Action: trace.ProcessHelper, PID: pid, TID: pid,
		Command: name}))
}

// maxServers bounds the processes that serve one volume.
const maxServers = 16

// flow is that of a file in one direction; nil if no volume here holds the file.
func (v *volumes) flow(file trace.FileID, pid uint32, write bool) *flow {
	vol := v.files[file]
	if vol == nil {
		return nil
	}
	for i := len(vol.flows) - 1; i >= 0; i-- {
		if f := vol.flows[i]; f.file == file && f.write == write {
			return f
		}
	}
	vol.evict()
	f := &flow{file: file, pid: pid, write: write, last: v.d.now}
	vol.flows = append(vol.flows, f)
	return f
}

// evict makes room for a flow: the one whose last call is the oldest goes.
func (vol *volume) evict() {
	if len(vol.flows) < maxFlows {
		return
	}
	oldest := 0
	for i, f := range vol.flows {
		if o := vol.flows[oldest]; f.active == 0 && (o.active > 0 || f.last < o.last) {
			oldest = i
		}
	}
	vol.flows = slices.Delete(vol.flows, oldest, oldest+1)
}

// begin takes note of a data call that begins.
func (v *volumes) begin(t *thread) {
	if len(v.files) == 0 {
		return
	}
	k := callTable[t.call.number]
	o := v.d.fds.Get(t.proc.pid, int32(uint32(t.call.arg[0])))
	if o == nil || !k.op.MovesData() {
		return
	}
	f := v.flow(o.File, t.proc.pid, k.op == trace.OpWrite)
	if f == nil {
		return
	}
	length := int64(0)
	switch k.shape {
	case macos.ShapeIO, macos.ShapePIO:
		length = int64(t.call.arg[2])
	case macos.ShapeGuardIO, macos.ShapeGuardPIO:
		length = int64(t.call.arg[3])
	}
	t.call.flow, t.call.asked = f, min(max(length, 0), trace.MaxRequest)
	f.active++
	f.asked += t.call.asked
}

// leave ends what begin began; moved is what the call did.
func (v *volumes) leave(t *thread, moved, at int64) {
	f := t.call.flow
	if f == nil {
		return
	}
	t.call.flow = nil
	f.active--
	f.asked -= t.call.asked
	f.called += max(moved, 0)
	f.last = max(f.last, at)
}

// lost forgets what calls did.
func (v *volumes) lost() {
	for _, vol := range v.byDevice {
		vol.flows = nil
	}
}

// request is a disk request under way.
type request struct {
	start  uint64
	device trace.DeviceID
	block  uint64
	bytes  int64
	code   uint32
	pid    uint32
	tid    uint64
	file   trace.FileID // of the call its thread was in
	guess  guess
}

// guess is what is inferred of a request.
type guess struct {
	vol  *volume
	flow *flow  // nil if several files may be meant
	pid  uint32 // of all of them
}

// guess infers which file a request that begins is for.
func (v *volumes) guess(q *request, at int64) (g guess) {
	vol := v.byDevice[q.device]
	if vol == nil || q.code&DiskMeta != 0 {
		return g
	}
	var fits, active []*flow
	write := q.code&DiskRead == 0
	for _, f := range vol.flows {
		if f.write != write || !f.fits(q.bytes, at) {
			continue
		}
		if fits = append(fits, f); f.active > 0 {
			active = append(active, f)
		}
		if f.file == q.file { // its thread is in a call on the file
			fits, active = nil, []*flow{f}
			break
		}
	}
	if len(active) == 1 {
		fits = active
	}
	if len(fits) == 0 {
		return g
	}
	g = guess{vol: vol, pid: fits[0].pid}
	for _, f := range fits {
		if f.pid != g.pid {
			return guess{}
		}
	}
	if len(fits) == 1 {
		g.flow = fits[0]
		g.flow.served += q.bytes
	}
	return g
}

// fits reports whether a request of some size may be for a flow.
func (f *flow) fits(bytes, at int64) bool {
	rest := f.called + f.asked - f.served - bytes
	if f.write {
		return rest >= -rounding && (f.active > 0 || at-f.last <= writtenLater)
	}
	return rest >= -readAhead && (f.active > 0 || at-f.last <= readLater)
}

// settle says of a request that has ended what was inferred, if the kernel named no file.
func (v *volumes) settle(e *trace.Request, g guess, known trace.FileID) {
	if known != 0 {
		if g.flow != nil {
			g.flow.served -= e.Bytes
		}
		if f := v.flow(known, e.Owner, e.Op == trace.ReqWrite); f != nil {
			f.served += e.Bytes
		}
		return
	}
	if g.vol == nil || e.Flags&trace.ReqRecorder != 0 {
		return
	}
	e.Flags &^= trace.ReqForeign
	e.Owner, e.Evidence = g.pid, trace.EvidenceInferred
	if g.flow != nil {
		e.File = g.flow.file
	}
	if issuer := v.d.procs[e.PID]; issuer == nil || !issuer.in {
		v.tell(g.vol, e.PID, "")
	}
}
