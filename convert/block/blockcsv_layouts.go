package block

import (
	"bytes"

	"github.com/iotrace/iotrace/convert"

	"github.com/iotrace/iotrace/trace"
)

// cambridge has times in steps of 100 ns, as Windows counts them from 1601.
var cambridge = collection{names: "Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime",
	heading: "Timestamp,",
	row: func(r *reader, f [][]byte, to *Row) bool {
		const begin1990 = 122_500_000_000_000_000 // no other count is as large
		at, ok1 := convert.ParseUint(f[0], 63)
		took, ok2 := convert.ParseUint(f[6], 50)
		_, ok3 := convert.ParseUint(f[2], 16)
		if !ok1 || !ok2 || !ok3 || at < begin1990 || len(f[1]) == 0 || !direction(to, f[3], "Read", "Write") ||
			!extent(to, f[4], f[5], 1) {
			return false
		}
		to.Disk = r.disk("", f[1], f[2])
		return begins(r, to, at, 100, int64(took)*100)
	}}

// alibaba has times in microseconds since 1970, and offsets and lengths in bytes.
var alibaba = collection{names: "device_id,opcode,offset,length,timestamp", heading: "device_id,",
	row: func(r *reader, f [][]byte, to *Row) bool {
		at, ok1 := convert.ParseUint(f[4], 58)
		_, ok2 := convert.ParseUint(f[0], 32)
		if !ok1 || !ok2 || !direction(to, f[1], "R", "W") || !extent(to, f[2], f[3], 1) {
			return false
		}
		to.Disk = r.disk("device ", f[0])
		return begins(r, to, at, 1000, 0)
	}}

// tencent has times in seconds since 1970, and offsets and lengths in sectors.
var tencent = collection{names: "Timestamp,Offset,Size,IOType,VolumeID", heading: "Timestamp,",
	notes: []string{"the times are whole seconds: the requests of a second all begin with it"},
	row: func(r *reader, f [][]byte, to *Row) bool {
		at, ok1 := convert.ParseUint(f[0], 34)
		_, ok2 := convert.ParseUint(f[4], 32)
		if !ok1 || !ok2 || at < 1e9 || !direction(to, f[3], "0", "1") || !extent(to, f[1], f[2], 512) {
			return false
		}
		to.Disk = r.disk("volume ", f[4])
		return begins(r, to, at, 1e9, 0)
	}}

// systor has times and durations in seconds, with decimals. What neither reads nor writes has no type.
var systor = collection{names: "Timestamp,Response,IOType,LUN,Offset,Size", heading: "Timestamp,",
	row: func(r *reader, f [][]byte, to *Row) bool {
		at, ok1 := ParseDecimal(f[0], 9)
		took, ok2 := int64(0), true
		if len(f[1]) > 0 {
			took, ok2 = ParseDecimal(f[1], 9)
		}
		_, ok3 := convert.ParseUint(f[3], 16)
		if !ok1 || !ok2 || !ok3 || at < 0 || took < 0 {
			return false
		}
		if len(f[2]) == 0 {
			to.Op = trace.ReqOther
			for i := 4; i < 6; i++ {
				if len(f[i]) == 0 {
					f[i] = []byte("0")
				}
			}
		} else if !direction(to, f[2], "R", "W") {
			return false
		}
		to.Disk = r.disk("LUN ", f[3])
		return extent(to, f[4], f[5], 1) && begins(r, to, uint64(at), 1, took)
	}}

// spc has times in seconds from the beginning, with decimals, and places in blocks of 512 bytes. Fields may have spaces
// around them (SPC Trace File Format Specification, 1.0.1), and further ones may follow the five.
var spc = collection{names: "ASU,LBA,Size,Opcode,Timestamp", heading: "ASU,", open: true,
	row: func(r *reader, f [][]byte, to *Row) bool {
		for i := range f {
			f[i] = bytes.TrimSpace(f[i])
		}
		at, ok1 := ParseDecimal(f[4], 9)
		_, ok2 := convert.ParseUint(f[0], 32)
		if !ok1 || !ok2 || at < 0 || bytes.IndexByte(f[4], '.') < 0 || !extent(to, f[1], []byte("0"), 512) {
			return false
		}
		if !direction(to, bytes.ToUpper(f[3]), "R", "W") {
			return false
		}
		size, ok := convert.ParseUint(f[2], 32)
		to.Bytes, to.Disk = int64(size), r.disk("ASU ", f[0])
		return ok && begins(r, to, uint64(at), 1, 0)
	}}

// fiu has times in ns and places in sectors, with the process, the number of the device and a digest of the data.
var fiu = collection{names: "ts,pid,process,lba,size,op,major,minor,MD5", spaces: true, numbered: true,
	row: func(r *reader, f [][]byte, to *Row) bool {
		at, ok1 := convert.ParseUint(f[0], 63)
		pid, ok2 := convert.ParseUint(f[1], 32)
		major, ok3 := convert.ParseUint(f[6], 12)
		minor, ok4 := convert.ParseUint(f[7], 20)
		if !ok1 || !ok2 || !ok3 || !ok4 || len(f[2]) == 0 || !direction(to, f[5], "R", "W") || !extent(to, f[3], f[4], 512) {
			return false
		}
		to.PID, to.TID, to.Command = uint32(pid), uint32(pid), string(f[2])
		to.Device, to.Disk = trace.MakeDeviceID(uint32(major), uint32(minor)), r.disk("device ", f[6], f[7])
		return begins(r, to, at, 1, 0)
	}}

// cloudphysics has times in us, places in blocks of 512 bytes and sizes in bytes, of one virtual disk a file.
var cloudphysics = collection{names: "ts,lba,op,size", heading: "ts,",
	row: func(r *reader, f [][]byte, to *Row) bool {
		at, ok1 := convert.ParseUint(f[0], 58)
		sector, ok2 := convert.ParseUint(f[1], 54)
		size, ok3 := convert.ParseUint(f[3], 32)
		if !ok1 || !ok2 || !ok3 || size%512 != 0 || !direction(to, bytes.ToLower(f[2]), "r", "w") {
			return false
		}
		to.Sector, to.Bytes, to.Disk = sector, int64(size), "virtual disk"
		return begins(r, to, at, 1000, 0)
	}}

// begins sets the times of a request.
func begins(r *reader, to *Row, at uint64, unit, took int64) (ok bool) {
	to.Issued, ok = r.since(at, unit)
	to.Completed = to.Issued + took
	return ok
}

// direction reads what a request does, by the words of the collection.
func direction(to *Row, text []byte, read, write string) bool {
	switch string(text) {
	case read:
		to.Op = trace.ReqRead
	case write:
		to.Op = trace.ReqWrite
	default:
		return false
	}
	return true
}

// extent reads where a request lies, in a unit of bytes. The format of traces knows whole sectors: a place within one
// begins with it.
func extent(to *Row, offset, size []byte, unit uint64) bool {
	at, ok1 := convert.ParseUint(offset, 54)
	length, ok2 := convert.ParseUint(size, 32)
	to.Sector, to.Bytes = at*unit/512, int64(length*unit)
	return ok1 && ok2
}
