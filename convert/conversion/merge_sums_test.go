package conversion_test

import (
	"strings"
	"testing"
	"time"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// sums are what the events of one host add up to.
type sums struct {
	Kinds    map[string]int
	Bytes    map[string]int64         // by operation
	Times    map[string]time.Duration // by kind
	Calls    map[string]int           // by name
	Paths    map[string]int           // of what calls and requests are about
	Programs map[string]bool
	Devices  map[string]int // requests
}

// reading is a trace of which the sums are made.
type reading struct {
	t       *testing.T
	header  trace.Header
	hosts   map[string]*sums
	files   map[trace.FileID]string
	devices map[trace.DeviceID]string
	hostOf  map[uint32]string // processes, by what they were named
}

// add adds up what a trace says, by host: "" if it is of one.
func add(t *testing.T, path string) map[string]*sums {
	t.Helper()
	r := &reading{t: t, hosts: map[string]*sums{}, files: map[trace.FileID]string{}, devices: map[trace.DeviceID]string{},
		hostOf: map[uint32]string{}}
	for _, take := range []func(*trace.Batch){r.identities, r.events} {
		reader, err := tracefile.Each(path, take)
		if err != nil {
			t.Fatal(err)
		}
		r.header = reader.Header()
	}
	return r.hosts
}

func (r *reading) host(name string) *sums {
	if r.hosts[name] == nil {
		r.hosts[name] = &sums{Kinds: map[string]int{}, Bytes: map[string]int64{}, Times: map[string]time.Duration{},
			Calls: map[string]int{}, Paths: map[string]int{}, Programs: map[string]bool{}, Devices: map[string]int{}}
	}
	return r.hosts[name]
}

// split parts the host from a path.
func split(path string) (host, rest string) {
	if strings.HasPrefix(path, "//") {
		host, path, _ = strings.Cut(path[2:], "/")
	}
	return host, strings.TrimPrefix(path, "/")
}

func (r *reading) identities(b *trace.Batch) {
	for i := range b.Files {
		f := &b.Files[i]
		name, rest := split(f.Path)
		r.files[f.ID] = rest
		r.host(name).Kinds["file"]++
	}
	for i := range b.Devices {
		d := &b.Devices[i]
		r.devices[d.ID] = d.Name
		_, name, _ := strings.Cut(d.Name, "@")
		r.host(name).Kinds["device"]++
	}
	for i := range b.Processes {
		p := &b.Processes[i]
		command, name, _ := strings.Cut(p.Command, "@")
		if known, ok := r.hostOf[p.PID]; ok && known != name {
			r.t.Errorf("process %d is of %q and of %q", p.PID, known, name)
		}
		r.hostOf[p.PID] = name
		_, exe := split(p.Exe)
		r.host(name).Kinds["process"]++
		r.host(name).Programs[command+" "+exe] = true
	}
}

func (r *reading) events(b *trace.Batch) {
	for i := range b.Syscalls {
		e := &b.Syscalls[i]
		h := r.host(r.hostOf[e.PID])
		h.Kinds["syscall"]++
		h.Bytes[e.Op.String()] += e.Bytes()
		h.Times["syscall"] += time.Duration(e.Duration)
		h.Calls[r.header.CallName(e.Call)]++
		h.Paths[r.files[e.File]]++
	}
	for i := range b.Requests {
		e := &b.Requests[i]
		name, of, _ := strings.Cut(r.devices[e.Device], "@")
		h := r.host(of)
		h.Kinds["request"]++
		h.Bytes["request"] += e.Bytes
		h.Times["request"] += time.Duration(e.Completed - e.Issued)
		h.Paths[r.files[e.File]]++
		h.Devices[name]++
	}
	for i := range b.Waits {
		e := &b.Waits[i]
		r.host(r.hostOf[e.PID]).Times["wait"] += time.Duration(e.Duration)
	}
	for i := range b.Faults {
		e := &b.Faults[i]
		r.host(r.hostOf[e.PID]).Bytes["fault"] += e.Filled
	}
}
