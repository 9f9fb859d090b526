package flight

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/iotrace/iotrace/trace"
)

const second = int64(time.Second)

// events makes the events of programs that come, go, open files and have devices read them.
type events struct {
	rand  *rand.Rand
	now   int64
	files trace.FileID
	pids  []uint32
	next  uint32
	used  []trace.FileID
	sinks []trace.Sink
}

func newEvents(seed uint64, start int64, sinks ...trace.Sink) *events {
	m := &events{rand: rand.New(rand.NewPCG(seed, 1)), now: start, next: 1000, sinks: sinks}
	disk, part := trace.MakeDeviceID(8, 0), trace.MakeDeviceID(8, 1)
	m.tell(func(s trace.Sink) error {
		return s.Device(&trace.Device{Time: start, ID: disk, Name: "sda"})
	})
	m.tell(func(s trace.Sink) error {
		return s.Device(&trace.Device{Time: start, ID: part, Name: "sda1", Parents: []trace.DeviceID{disk}})
	})
	m.process(trace.ProcessPresent, 1, 0)
	m.pids = []uint32{1}
	m.open()
	return m
}

func (m *events) tell(do func(trace.Sink) error) {
	for _, s := range m.sinks {
		if err := do(s); err != nil {
			panic(err)
		}
	}
}

func (m *events) process(a trace.ProcessAction, pid, parent uint32) {
	e := trace.Process{Time: m.now, Action: a, PID: pid, TID: pid, Parent: parent, Command: fmt.Sprint("c", pid)}
	if a == trace.ProcessExec || a == trace.ProcessPresent {
		e.Command = fmt.Sprintf("x%d-%d", pid, m.now%1000)
		e.Exe, e.Args = "/bin/"+e.Command, e.Command+"\x00-v"
	}
	m.tell(func(s trace.Sink) error { return s.Process(&e) })
}

func (m *events) open() trace.FileID {
	m.files++
	f := trace.File{Time: m.now, ID: m.files, Path: fmt.Sprint("/data/file", m.files), Device: trace.MakeDeviceID(8, 1),
		Type: trace.FileRegular, FSType: "ext4", Mount: "/data"}
	m.tell(func(s trace.Sink) error { return s.File(&f) })
	m.used = append(m.used, m.files)
	if len(m.used) > 300 {
		m.used = m.used[1:]
	}
	return m.files
}

func (m *events) pid() uint32          { return m.pids[m.rand.IntN(len(m.pids))] }
func (m *events) file() trace.FileID   { return m.used[m.rand.IntN(len(m.used))] }
func (m *events) lasted() (ns int64)   { return min(m.rand.Int64N(2_000_000), m.now) }
func (m *events) passes(between int64) { m.now += 1 + m.rand.Int64N(2*between) }

// step is one event, about so long after the one before.
func (m *events) step(between int64) {
	m.passes(between)
	lasted := m.lasted()
	pid, file := m.pid(), m.file()
	switch n := m.rand.IntN(1000); {
	case n < 5 && len(m.pids) < 200:
		m.next++
		m.process(trace.ProcessFork, m.next, pid)
		m.pids = append(m.pids, m.next)
	case n < 8:
		m.process(trace.ProcessExec, pid, 1)
	case n < 12 && len(m.pids) > 2:
		i := 1 + m.rand.IntN(len(m.pids)-1)
		m.process(trace.ProcessExit, m.pids[i], 1)
		if m.pids = append(m.pids[:i], m.pids[i+1:]...); n < 10 && m.next > 1010 {
			m.next -= 5 // numbers come again
		}
	case n < 30:
		m.open()
	case n < 300:
		r := trace.Request{Queued: m.now - lasted, Issued: m.now - lasted/2, Completed: m.now,
			Device: trace.MakeDeviceID(8, 1), Bytes: 8192, Op: trace.ReqRead, PID: pid, TID: pid, Owner: pid, File: file,
			More: []trace.Extent{{File: m.file(), Bytes: 4096}}}
		m.tell(func(s trace.Sink) error { return s.Request(&r) })
	case n < 320:
		w := trace.Wait{Start: m.now - lasted, Duration: lasted, PID: pid, TID: pid, Cause: trace.WaitIO,
			By: trace.WokenByRequest, Completed: max(m.now-lasted-10, 0), Ready: lasted / 2}
		m.tell(func(s trace.Sink) error { return s.Wait(&w) })
	case n < 325:
		l := trace.Lost{From: max(m.now-1000, 0), To: m.now, Count: 3, Kind: trace.KindSyscall}
		m.tell(func(s trace.Sink) error { return s.Lost(&l) })
	case n < 330:
		f := trace.Fault{Start: m.now - lasted, Duration: lasted, PID: pid, TID: pid, File: file}
		m.tell(func(s trace.Sink) error { return s.Fault(&f) })
	case n < 340:
		a := trace.AsyncOp{Submit: m.now - lasted, Complete: m.now, PID: pid, TID: pid, API: trace.APIUring,
			Op: trace.OpRead, File: file}
		m.tell(func(s trace.Sink) error { return s.AsyncOp(&a) })
	default:
		c := trace.Syscall{Start: m.now - lasted, Duration: lasted, PID: pid, TID: pid, Op: trace.OpRead, File: file,
			File2: m.file() * trace.FileID(n%2), Requested: 4096, Result: 4096}
		m.tell(func(s trace.Sink) error { return s.Syscall(&c) })
	}
}

// seen is an event as somebody understands it who has read the trace up to it.
type seen struct {
	event         any
	process, file string
}

// story tells the events of a log that began and ended between two times, with times from the first of them.
func story(l *trace.Log, from, to int64) (list []seen) {
	paths := map[trace.FileID]string{}
	for _, f := range l.Files {
		paths[f.ID] = f.Path
	}
	name := func(pid uint32, at int64) string { // the latest program that began under a number until then
		name := ""
		for i := range l.Processes {
			if p := &l.Processes[i]; p.Time <= at && p.PID == pid && p.Action != trace.ProcessExit {
				name = p.Command
			}
		}
		return name
	}
	add := func(start, end int64, pid uint32, file string, event func() any) {
		if start >= from && end <= to && end >= from {
			list = append(list, seen{event(), name(pid, end), file})
		}
	}
	for _, e := range l.Syscalls {
		add(e.Start, e.End(), e.PID, paths[e.File]+paths[e.File2], func() any { e.Start -= from; return e })
	}
	for _, e := range l.AsyncOps {
		add(e.Submit, e.Complete, e.PID, paths[e.File], func() any { e.Submit -= from; e.Complete -= from; return e })
	}
	for _, e := range l.Faults {
		add(e.Start, e.Start+e.Duration, e.PID, paths[e.File], func() any { e.Start -= from; return e })
	}
	for _, e := range l.Requests {
		add(e.Queued, e.Completed, e.Owner, paths[e.File]+paths[e.More[0].File], func() any {
			e.Queued -= from
			e.Issued -= from
			e.Completed -= from
			e.More = append([]trace.Extent(nil), e.More...)
			return e
		})
	}
	for _, e := range l.Waits {
		add(e.Start, e.Start+e.Duration, e.PID, "", func() any {
			e.Start -= from
			if e.Completed -= from; e.Completed < 0 || e.By == trace.WokenByUnknown {
				e.By, e.Completed, e.Ready = trace.WokenByUnknown, 0, 0
			}
			return e
		})
	}
	for _, e := range l.Losses {
		add(e.To, e.To, 0, "", func() any { e.From, e.To = max(e.From-from, 0), e.To-from; return e })
	}
	return list
}

// TestStretch: what a ring gives out is what a recording of everything has in these seconds, and each event refers to
// the same file and the same process there.
func TestStretch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		full, r := &trace.Log{}, newRing(t, 1<<30)
		start := rapid.SampledFrom([]int64{0, 40 * 24 * 3600 * second}).Draw(t, "start")
		m := newEvents(rapid.Uint64().Draw(t, "seed"), start, &kept{full}, r)
		between := rapid.SampledFrom([]int64{1e6, 2e7, 3e8}).Draw(t, "between")
		keep := rapid.Int64Range(1, 10).Draw(t, "keep") * second
		for range rapid.IntRange(1, 3000).Draw(t, "events") {
			m.step(between)
			r.Forget(m.now - keep)
		}
		if whole := r.Whole(); whole > m.now-keep+1 {
			t.Fatalf("whole from %d, want until %d", whole, m.now-keep)
		}
		from := max(m.now-keep, r.Whole(), 0)
		got := &trace.Log{}
		if err := r.Between(from, m.now).Write(&kept{got}); err != nil {
			t.Fatal(err)
		}
		want, have := story(full, from, m.now), story(got, 0, m.now-from)
		if len(want) != len(have) {
			t.Fatalf("%d events, want %d", len(have), len(want))
		}
		for i := range want {
			if !reflect.DeepEqual(want[i], have[i]) {
				t.Fatalf("event %d:\n%+v\nwant\n%+v", i, have[i], want[i])
			}
		}
		for _, q := range got.Requests {
			if !describes(got, q.Device) {
				t.Fatalf("the device of %+v is not described in %+v", q, got.Devices)
			}
		}
	})
}

func describes(l *trace.Log, id trace.DeviceID) bool {
	for _, d := range l.Devices {
		if d.ID == id {
			return true
		}
	}
	return false
}

// kept copies what belongs to whoever gives an event.
type kept struct{ *trace.Log }

func (k *kept) Request(e *trace.Request) error {
	c := *e
	c.More = append([]trace.Extent(nil), e.More...)
	return k.Log.Request(&c)
}

func newRing(t rapid.TB, size int64) *Ring {
	t.Helper()
	r, err := NewRing(size)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestSize: what does not fit goes, the oldest first, and the ring says since when it has everything.
func TestSize(t *testing.T) {
	const size = 64 << 10
	full, r := &trace.Log{}, newRing(t, size)
	m := newEvents(1, 0, &kept{full}, r)
	for range 40_000 {
		m.step(1e6)
		if r.Held() > size {
			t.Fatalf("%d bytes are held", r.Held())
		}
	}
	if r.Whole() <= 0 || r.Whole() >= m.now {
		t.Fatalf("whole from %d of %d", r.Whole(), m.now)
	}
	got, s := &trace.Log{}, r.Between(0, m.now)
	if err := s.Write(&kept{got}); err != nil {
		t.Fatal(err)
	}
	if want, have := story(full, s.From(), m.now), story(got, 0, m.now); !reflect.DeepEqual(want, have) || len(have) == 0 {
		t.Errorf("%d events, want %d", len(have), len(want))
	}
}

// TestDropped: where nothing is left of a time, there is a stretch without events and without times below 0.
func TestDropped(t *testing.T) {
	r := newRing(t, 1<<10)
	m := newEvents(1, 0, r)
	for range 5000 {
		m.step(1e6)
	}
	got, s := &trace.Log{}, r.Between(0, second)
	if err := s.Write(&kept{got}); err != nil {
		t.Fatal(err)
	}
	if s.From() <= second || len(got.Syscalls)+len(got.Requests) > 0 {
		t.Errorf("from %d: %d calls, %d requests", s.From(), len(got.Syscalls), len(got.Requests))
	}
	for _, f := range got.Files {
		if f.Time != 0 {
			t.Errorf("%+v", f)
		}
	}
}

// TestFlat: minutes of 20,000 events a second take no more memory than the first of them, whatever number of files they
// are about. Times are those of the events.
func TestFlat(t *testing.T) {
	const size = 1 << 20
	r := newRing(t, size)
	m := newEvents(2, 0, r)
	peak := func(until int64) (most uint64) { // of the heap
		for m.now < until {
			for end := m.now + 5*second; m.now < end; {
				m.step(50_000)
				if m.now%4 == 0 {
					m.open()
				}
			}
			runtime.GC()
			var s runtime.MemStats
			runtime.ReadMemStats(&s)
			most = max(most, s.HeapAlloc)
		}
		return most
	}
	early := peak(60 * second)
	if late := peak(120 * second); late > early+early/20 || r.Held() > size {
		t.Errorf("%d bytes later, %d in the first minute; %d held", late, early, r.Held())
	}
	runtime.KeepAlive(r)
}

// TestRecent: what is used stays, what is not goes, and texts count.
func TestRecent(t *testing.T) {
	r := newRecent[int](10, 1000, func(s *string) int { return len(*s) })
	for i := range 1000 {
		r.put(i, "x")
		if _, ok := r.get(0); !ok {
			t.Fatalf("0 was forgotten after %d", i)
		}
		if n := r.len(); n > 10 {
			t.Fatalf("%d are known after %d", n, i)
		}
	}
	if _, ok := r.get(500); ok {
		t.Error("500 is still known")
	}
	long := strings.Repeat("y", 400)
	for i := range 100 {
		r.put(i, long)
		sum := 0
		r.each(func(_ int, s *string) { sum += len(*s) })
		if sum > 2000 {
			t.Fatalf("%d bytes of text", sum)
		}
	}
}
