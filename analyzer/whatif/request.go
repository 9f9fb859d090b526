package whatif

import (
	"github.com/iotrace/iotrace/analyzer/whatif/drive"
	"github.com/iotrace/iotrace/trace"
)

// Request is a request at the topmost of the devices it went through.
type Request struct {
	drive.Request
	Thread    uint32
	process   uint32 // that it was done for
	issued    int64
	Device    int32 // in the devices of the program
	Direct    bool  // of a call past the page cache
	file      trace.FileID
	offset    int64 // in it
	end       int64
	CallBytes int64 // bytes that this call moved
	Ahead     bool  // the kernel may ask for it before the thread needs it: a read through the page cache
	Goes      bool  // and it goes on where the last such one of the thread ended, in the same file
}

const noRequest = -1 // no request
