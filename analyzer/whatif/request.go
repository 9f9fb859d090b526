package whatif

import "github.com/iotrace/iotrace/trace"

// request is a request at the topmost of the devices it went through.
type request struct {
	queued, completed int64
	thread            uint32
	process           uint32 // that it was done for
	device            int32  // in devices
	sector            uint64
	bytes             int64
	op                trace.ReqOp
	file              trace.FileID
	service           service
	direct            bool  // of a call past the page cache
	call              int64 // bytes that this call moved
	recorded          int64 // what the device model makes of it as it was recorded
}

// service is what a request asks of a device, apart from its size: what its time
// depends on.
type service uint8

const (
	randomRead service = iota
	sequentialRead
	randomWrite
	sequentialWrite
	flush
	services
)

// direction is 0 for reads and 1 for writes.
func (k service) direction() int {
	if k < randomWrite {
		return 0
	}
	return 1
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
