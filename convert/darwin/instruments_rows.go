package darwin

import (
	"fmt"
	"strings"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer/kdebug"
)

// call turns a row into the records that the kernel logged for its call.
func (x *tables) call(row *element, r *common) error {
	number, ok := callNumber(x.table.value(row, "syscall", "syscall"))
	if !ok {
		x.count.Skipped++
		return nil
	}
	if err := x.flush(uint64(r.start)); err != nil { // rows are in the order of their beginnings
		return err
	}
	if err := x.process(r); err != nil {
		return err
	}
	begin := kdebug.Record{Time: uint64(r.start), Thread: r.tid, DebugID: kdebug.CallID(number) | kdebug.FuncStart}
	end := kdebug.Record{Time: uint64(r.end), Thread: r.tid, DebugID: kdebug.CallID(number) | kdebug.FuncEnd}
	end.Arg[3] = uint64(r.pid)
	n := 0
	for _, c := range row.Children {
		if v, ok := c.Number(); ok && c.Name == "syscall-arg" && n < len(begin.Arg) {
			begin.Arg[n] = uint64(v)
			n++
		}
	}
	x.result(row, &end)
	path := x.table.path(row)
	if fd, ok := x.table.value(row, "fd", "fd").Number(); ok && path != "" && opens[number] == 0 {
		if err := x.d.Told(r.pid, int32(fd), path, r.start); err != nil {
			return err
		}
	}
	x.push(begin)
	if path != "" {
		for _, r := range kdebug.LookupRecords(begin, path) {
			x.push(r)
		}
	}
	x.push(end)
	return nil
}

// result fills in what a call returned. Where the columns are told, the result is one of them, the error another, and
// what was moved a third; else they are the values of that kind.
func (x *tables) result(row *element, end *kdebug.Record) {
	s := &x.table
	if _, told := s.columns["return"]; told && len(row.Children) == s.width {
		v, _ := s.value(row, "", "return").Number()
		for _, column := range []string{"lreads", "lwrites"} {
			if bytes, ok := s.value(row, "", column).Number(); ok && bytes > 0 && v == 0 {
				v = bytes
			}
		}
		end.Arg[1], end.Arg[2] = uint64(v), uint64(v)>>32
	} else {
		returns := 0
		for _, c := range row.Children {
			if v, ok := c.Number(); ok && c.Name == "syscall-return" && returns < 2 {
				end.Arg[1+returns] = uint64(v)
				returns++
			}
		}
		if returns == 1 {
			end.Arg[2] = uint64(int64(end.Arg[1])) >> 32
		}
	}
	if errno, ok := s.errno(row); ok && errno > 0 && !(s.harmless(row) && int64(end.Arg[1]) >= 0) {
		end.Arg[0] = uint64(errno)
	}
}

// disks gives the disks of a table their numbers.
type disks struct {
	sink trace.Sink
	ids  map[string]trace.DeviceID
}

const (
	inventedMajor = 0xfff // of disks whose numbers are not known; it is that of no device
	maxDisks      = 1 << 12
	blockSize     = 4096
)

func (d *disks) id(name string) (trace.DeviceID, error) {
	name = strings.TrimPrefix(strings.TrimSpace(name), "/dev/")
	if name == "" || len(d.ids) >= maxDisks {
		name = "disk"
	}
	if id, known := d.ids[name]; known {
		return id, nil
	}
	id := trace.MakeDeviceID(inventedMajor, uint32(len(d.ids)+1))
	d.ids[name] = id
	return id, d.sink.Device(&trace.Device{ID: id, Name: name})
}

// request turns a row into a disk request: "Data Write", "Metadata Read", "Page In".
func (x *tables) request(row *element, r *common) error {
	what := x.table.like(row, "operation").text()
	verb := strings.ToLower(what[strings.LastIndexByte(what, ' ')+1:])
	bytes, sized := x.table.like(row, "size", "bytes").Number()
	op, known := map[string]trace.ReqOp{"read": trace.ReqRead, "in": trace.ReqRead, "write": trace.ReqWrite,
		"out": trace.ReqWrite}[verb]
	if !known || !sized || bytes < 0 {
		x.count.AddDamagedAs(fmt.Sprintf("its operation is %.40q, and its size is told: %v", what, sized))
		return nil
	}
	if err := x.process(r); err != nil {
		return err
	}
	device, err := x.disks.id(x.table.like(row, "device", "disk", "volume").text())
	if err != nil {
		return err
	}
	e := trace.Request{Queued: -1, Issued: r.start, Completed: r.end, Device: device, Bytes: bytes, Op: op, PID: r.pid,
		TID: uint32(r.tid), Owner: r.pid, Offset: trace.NoOffset, Bios: 1}
	if block, ok := x.table.like(row, "block").Number(); ok && block >= 0 {
		e.Sector = uint64(block) * (blockSize / 512)
	}
	if strings.HasPrefix(what, "Metadata") {
		e.Flags |= trace.ReqMeta
	} else if e.File, err = x.d.Files().Named(x.table.path(row), r.start, 0); e.File != 0 {
		e.Evidence = trace.EvidenceInode
	}
	if err != nil {
		return err
	}
	return x.disks.sink.Request(&e)
}
