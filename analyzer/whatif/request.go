package whatif

import (
	"github.com/iotrace/iotrace/analyzer/whatif/drive"
	"github.com/iotrace/iotrace/trace"
)

// request is a request at the topmost of the devices it went through.
type request struct {
	drive.Request
	thread  uint32
	process uint32 // that it was done for
	device  int32  // in devices
	direct  bool   // of a call past the page cache
	file    trace.FileID
	call    int64 // bytes that this call moved
}

const gone = -1 // no request

// nowhere are the beginnings of so many empty lists.
func nowhere(n int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = gone
	}
	return list
}
