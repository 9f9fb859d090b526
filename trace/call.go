package trace

import "fmt"

// Syscall is one finished system call.
type Syscall struct {
	// Start is when it began, in ns since the start of the recording.
	Start int64 `name:"start" unit:"ns" table:",delta" column:"3 end"`
	// Duration is how long it took, in ns.
	Duration int64  `name:"duration" unit:"ns" column:"4 lasted"`
	PID      uint32 `name:"pid" column:"5"`     // process
	TID      uint32 `name:"tid" column:"1 key"` // thread
	Op       Op     `name:"op" column:"2 key"`  // what the call does, the same on every system
	// Call is the system's own name of the call: an index into Header.Calls.
	Call  uint16  `name:"call" is:"call" column:"6"`
	Flags IOFlags `name:"flags" column:"7"` // of the open file and of the call
	// FD is the descriptor that the call works on (for copies the source), -1 if none.
	FD int32 `name:"fd" none:"-1" column:"8"`
	// FD2 is the second descriptor (for copies the destination), -1 if none.
	FD2 int32 `name:"fd2" none:"-1" column:"9"`
	// File is the file that the call works on (for copies the source).
	File FileID `name:"file" with:"path" none:"0" column:"10"`
	// File2 is the second file: the destination of a copy, the new name of a rename or link, or the address of who is at
	// the other end of a socket.
	File2 FileID `name:"file2" with:"path2" none:"0" column:"11"`
	// Offset is in bytes from the start of File, NoOffset (-1) if not known.
	Offset int64 `name:"offset" none:"-1" table:"file_offset" column:"12"`
	// Offset2 is in bytes from the start of File2, NoOffset (-1) if not known.
	Offset2 int64 `name:"offset2" none:"-1" table:"file2_offset" column:"13"`
	// Requested is how many bytes were asked for (length argument), and of a fork those of the page tables that are
	// copied; 0 if the call has none.
	Requested int64 `name:"requested" unit:"bytes" column:"14"`
	Result    int64 `name:"result" column:"15 less Requested"` // return value, or -errno
	// Filled is how many bytes were added to the page cache while the call ran (cache misses and readahead).
	Filled int64 `name:"filled" omit:"0" unit:"bytes" text:"filled" column:"16"`
	// Buffer is the address of the data in the memory of the process, of the first of several buffers, of a mapping;
	// 0 if not known.
	Buffer uint64 `name:"buffer" none:"0" column:"17"`
}

// End is the time at which the call returned.
func (s *Syscall) End() int64 { return s.Start + s.Duration }

// Bytes is the number of bytes the call moved: its result if it is a data call
// that succeeded, otherwise 0.
func (s *Syscall) Bytes() int64 {
	if s.Result <= 0 || !s.Op.MovesData() {
		return 0
	}
	return s.Result
}

// Errno is the error number of a failed call, or 0.
func (s *Syscall) Errno() int64 {
	if s.Result < 0 {
		return -s.Result
	}
	return 0
}

// Usual reports whether all values lie where those of nearly all calls do.
func (s *Syscall) Usual() bool {
	return uint64(s.Start)|uint64(s.Duration) <= MaxTime/2 && uint64(s.Filled) <= MaxFilled &&
		uint64(s.Offset+1)|uint64(s.Offset2+1)|uint64(s.Requested) < 1<<62 &&
		uint64(s.Result-minResult) <= MaxTransfer-minResult
}

// Impossible says what about the event cannot be, "" if it is plausible.
func (s *Syscall) Impossible() string {
	if s.Usual() {
		return ""
	}
	if why := during(s.Start, s.Duration); why != "" {
		return why
	}
	switch {
	case s.Result > MaxTransfer && s.Op.MovesData():
		return fmt.Sprintf("%s of %d bytes; a call moves at most %d", s.Op, s.Result, MaxTransfer)
	case s.Result < minResult:
		return fmt.Sprintf("a result of %d", s.Result)
	case !place(s.Offset) || !place(s.Offset2):
		return fmt.Sprintf("offsets %d and %d", s.Offset, s.Offset2)
	case s.Requested < 0:
		return fmt.Sprintf("%d bytes were asked for", s.Requested)
	case !Within(MaxFilled, s.Filled):
		return fmt.Sprintf("%d bytes came into memory", s.Filled)
	}
	return ""
}

// Tame replaces arguments that no call can succeed with, which a program may
// have passed all the same, by the nearest that the format allows.
func (s *Syscall) Tame() {
	if uint64(s.Offset+1)|uint64(s.Offset2+1)|uint64(s.Requested) < 1<<62 {
		return
	}
	if s.Requested < 0 { // a length of 2^63 and more
		s.Requested = 1<<63 - 1
	}
	s.Offset, s.Offset2 = known(s.Offset), known(s.Offset2)
}

// AsyncOp is one io_uring, libaio or POSIX AIO operation.
type AsyncOp struct {
	// Submit is when it was handed to the kernel, in ns since the start of the recording.
	Submit int64 `name:"start" unit:"ns" table:",delta" column:"4 less Complete zero"`
	// Complete is when its completion was posted (io_uring) or collected (libaio), in ns.
	Complete int64    `name:"duration" since:"Submit" unit:"ns" column:"3 previous"`
	PID      uint32   `name:"pid" column:"5"`                       // process
	TID      uint32   `name:"tid" column:"1 key"`                   // thread that submitted it
	API      AsyncAPI `name:"api" column:"6"`                       // interface that it came through
	Op       Op       `name:"op" column:"2 key"`                    // what it does
	Flags    IOFlags  `name:"flags" column:"7"`                     // of the open file and of the operation
	File     FileID   `name:"file" with:"path" none:"0" column:"8"` // file that it works on, 0 if none
	// Offset is in bytes from the start of File, NoOffset (-1) if not known.
	Offset int64 `name:"offset" none:"-1" table:"file_offset" column:"9"`
	// Requested is how many bytes were asked for.
	Requested int64 `name:"requested" unit:"bytes" column:"10"`
	Result    int64 `name:"result" column:"11 less Requested"` // bytes, or -errno
	// Buffer is the address of the data, as of a Syscall; 0 if not known.
	Buffer uint64 `name:"buffer" none:"0" column:"12"`
	// File2 is the new name of a rename or a link, or the address of a connect or accept, as of a Syscall.
	File2 FileID `name:"file2" with:"path2" none:"0" column:"13"`
}

// Bytes is the number of bytes the operation moved.
func (a *AsyncOp) Bytes() int64 {
	if a.Result <= 0 || !a.Op.MovesData() {
		return 0
	}
	return a.Result
}

// Impossible says what about the event cannot be, "" if it is plausible.
func (a *AsyncOp) Impossible() string {
	if why := during(a.Submit, a.Complete-a.Submit); why != "" {
		return why
	}
	switch {
	case a.Result > MaxTransfer || a.Result < minResult:
		return fmt.Sprintf("%s with the result %d; an operation moves at most %d bytes", a.Op, a.Result, MaxTransfer)
	case !place(a.Offset):
		return fmt.Sprintf("offset %d", a.Offset)
	case a.Requested < 0:
		return fmt.Sprintf("%d bytes were asked for", a.Requested)
	}
	return ""
}

// Tame does the same for an asynchronous operation.
func (a *AsyncOp) Tame() {
	if a.Requested < 0 {
		a.Requested = 1<<63 - 1
	}
	a.Offset = known(a.Offset)
}

// AsyncAPI is the interface an asynchronous operation came through.
type AsyncAPI uint8

// The asynchronous interfaces.
const (
	APIUring AsyncAPI = 1 + iota
	APILibaio
	APIPosixAIO
)

var apiNames = [...]string{"unknown", "io_uring", "libaio", "posix_aio"}

func (a AsyncAPI) String() string {
	if int(a) < len(apiNames) {
		return apiNames[a]
	}
	return "unknown"
}
