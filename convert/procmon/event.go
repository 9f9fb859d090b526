package procmon

import (
	"bytes"

	"github.com/iotrace/iotrace/convert"

	"github.com/iotrace/iotrace/trace"
)

const day = 24 * 3600 * 1e9 // ns

// when reads the time of an event, which begins anew at midnight, and how long it took.
func (r *reader) when(e *trace.Syscall) bool {
	at, ok := timeOfDay(r.field(inTime))
	if !ok {
		return false
	}
	if at < r.before-day/2 {
		r.days++
	} else if r.days > 0 && at > r.before+day/2 { // told late, from before midnight
		at -= day
	}
	r.before = at
	if at += r.days * day; r.zero < 0 {
		r.zero = at
	}
	e.Start = max(at-r.zero, 0)
	if took := r.field(inDuration); len(took) > 0 {
		e.Duration, ok = seconds(took)
	}
	return ok
}

// who reads the process of an event, and introduces it.
func (r *reader) who(e *trace.Syscall) bool {
	n, ok := convert.ParseUint(r.field(inPID), 32)
	if !ok {
		return false
	}
	e.PID, e.TID = uint32(n), uint32(n)
	if n, ok := convert.ParseUint(r.field(inTID), 32); ok {
		e.TID = uint32(n)
	}
	return true
}

// done makes the event of an operation of a file.
func (r *reader) done(e *trace.Syscall) (convert.Verdict, error) {
	detail := r.field(inDetail)
	e.Result = result(r.field(inResult))
	if !r.fill(e, detail) {
		return convert.Damaged, nil
	}
	if (e.Op == trace.OpRead || e.Op == trace.OpWrite) && bytes.Contains(detail, []byte("Paging I/O")) {
		r.paging++
		r.paged += max(e.Result, 0)
		return convert.Skipped, nil
	}
	if e.Duration > 0 && pending(r.field(inOperation), detail) {
		r.pending++
		e.Duration = 0
	}
	if err := r.introduce(e); err != nil {
		return convert.Read, err
	}
	id, err := r.files.ID(r.field(inPath), e.Start, 0)
	if err != nil {
		return convert.Read, err
	}
	e.File = id
	switch to := after(detail, "FileName: "); {
	case e.Result < 0:
	case e.Op == trace.OpRename && len(to) > 0:
		e.File2, err = r.files.Renamed(r.field(inPath), to, e.Start)
	case e.Op == trace.OpUnlink:
		r.files.Unlinked(r.field(inPath))
	}
	if err != nil {
		return convert.Read, err
	}
	return convert.Read, r.sink.Syscall(e)
}

// pending says that an operation is a request that Windows keeps until something happens: until a directory changes,
// an oplock is broken, the change journal has an entry or a pipe a client (Windows driver documentation:
// IRP_MJ_DIRECTORY_CONTROL and the FSCTL codes). Its duration is how long nothing happened. Meanwhile its thread may
// wait or go on: in public tables all 186 that read the journal waited, 279 of 302 that asked for an oplock went on.
func pending(operation, detail []byte) bool {
	switch string(operation) {
	case "NotifyChangeDirectory":
		return true
	case "FileSystemControl":
		code := value(detail, "Control: FSCTL_")
		for _, part := range []string{"OPLOCK", "READ_USN_JOURNAL", "PIPE_LISTEN", "PIPE_WAIT"} {
			if bytes.Contains(code, []byte(part)) {
				return true
			}
		}
	}
	return false
}

// fill reads what the detail says of an operation. It reports whether it is whole.
func (r *reader) fill(e *trace.Syscall, detail []byte) bool {
	switch e.Op {
	case trace.OpRead, trace.OpWrite:
		length, known := grouped(after(detail, "Length: "))
		offset, placed := grouped(after(detail, "Offset: "))
		if placed {
			e.Offset = offset
			e.Flags |= trace.FlagPositioned
		}
		if len(detail) > 0 && !known {
			return false
		}
		e.Requested = length
		if e.Result >= 0 && string(r.field(inResult)) != "END OF FILE" {
			e.Result = length
		}
		if bytes.Contains(detail, []byte("Non-cached")) {
			e.Flags |= trace.FlagDirect
		}
	case trace.OpTruncate:
		e.Requested, _ = grouped(after(detail, "EndOfFile: "))
	case trace.OpAllocate:
		e.Requested, _ = grouped(after(detail, "AllocationSize: "))
	case trace.OpUnlink:
		if bytes.Contains(detail, []byte("Delete: False")) {
			e.Op = trace.OpAttr
		}
	case trace.OpOpen:
		e.Flags |= opened(detail)
	}
	return true
}

// opened is what the detail of CreateFile says.
func opened(detail []byte) (f trace.IOFlags) {
	access, rest, _ := bytes.Cut(after(detail, "Desired Access: "), []byte("Disposition: "))
	disposition, _, _ := bytes.Cut(rest, []byte(","))
	for _, c := range []struct {
		in   []byte
		word string
		flag trace.IOFlags
	}{
		{access, "Read", trace.FlagRead}, {access, "Write", trace.FlagWrite}, {access, "Generic All", trace.FlagRead},
		{access, "Generic All", trace.FlagWrite}, {disposition, "OpenIf", trace.FlagCreate},
		{disposition, "OverwriteIf", trace.FlagCreate}, {disposition, "Create", trace.FlagCreate},
		{disposition, "Supersede", trace.FlagCreate}, {disposition, "Supersede", trace.FlagTrunc},
		{disposition, "Overwrite", trace.FlagTrunc}, {rest, "No Buffering", trace.FlagDirect},
		{rest, "Write Through", trace.FlagSync},
	} {
		if bytes.Contains(c.in, []byte(c.word)) {
			f |= c.flag
		}
	}
	return f
}
