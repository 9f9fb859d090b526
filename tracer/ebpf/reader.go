//go:build linux

package ebpf

import (
	"sync/atomic"

	"github.com/cilium/ebpf"
)

// reader takes what the probes have recorded out of the ring buffer and the
// buffers of calls, in the order in which it ended: strictly what happened on one
// CPU, and but for swaps within microseconds the rest.
//
// The buffers can only be looked at one after the other, so the calls are counted
// twice. What a probe handed over before a call of the first count, such as the
// identity of its file, lies before the end of the ring buffer that is looked up
// next; and a call that was handed over before a record there is in the second.
type reader struct {
	decoder *decoder
	ring    *ring
	calls   *callBuffers
	sure    []uint64     // the first count
	soonest uint64       // when the next call ended
	held    bool         // a call waits for the identity of its file
	much    int          // bytes after which it is looked again at once
	peak    atomic.Int64 // most bytes seen waiting
}

func newReader(c *ebpf.Collection, d *decoder, buffer int) (*reader, error) {
	ring, err := newRing(c.Maps["events"].FD(), buffer)
	if err != nil {
		return nil, err
	}
	calls, err := newCallBuffers(c)
	if err != nil {
		ring.close()
		return nil, err
	}
	return &reader{decoder: d, ring: ring, calls: calls, sure: make([]uint64, len(calls.each)), much: buffer / 16}, nil
}

// drain decodes what is there, and returns how many bytes that was. It does not
// chase what comes meanwhile, which would fight the probes for cache lines, unless
// that was a lot.
func (r *reader) drain() (int, error) {
	for sum := 0; ; {
		n, err := r.pass()
		sum += n
		if err != nil || n < r.much {
			return sum, err
		}
	}
}

func (r *reader) pass() (int, error) {
	defer r.decoder.hold()()
	before := r.read()
	end := r.look()
	whole, err := r.ring.drain(end, func(record []byte) error {
		if at := ended(record); r.soonest <= at {
			if err := r.callsUntil(at, r.identified); err != nil {
				return err
			}
		}
		if err := r.decoder.record(record); err != nil {
			return err
		}
		if r.held && iotraceRecord(record[0]) == iotraceRecordREC_FILE {
			r.resume()
		}
		return nil
	})
	if err == nil && whole {
		err = r.sureCalls()
	}
	for i := range r.calls.each {
		r.calls.each[i].giveBack()
	}
	return int(r.read() - before), err
}

// read is how many bytes have been read so far.
func (r *reader) read() uint64 {
	n := r.ring.position
	for i := range r.calls.each {
		n += r.calls.each[i].taken * uint64(callSize)
	}
	return n
}

// look finds out up to where there are records.
func (r *reader) look() (end uint64) {
	for i := range r.sure {
		r.sure[i] = r.calls.each[i].written()
	}
	end = r.ring.produced()
	waiting := int64(end - r.ring.position)
	for i := range r.calls.each {
		b := &r.calls.each[i]
		b.allow(b.written())
		waiting += int64(b.limit-b.taken) * int64(callSize)
	}
	r.peak.Store(max(r.peak.Load(), waiting))
	r.soonest = 0
	return end
}

// callsUntil decodes the calls that ended until then, as far as they are ready.
func (r *reader) callsUntil(time uint64, ready func(*iotraceIo) bool) error {
	for {
		b, other := r.calls.first()
		if b == nil || b.ended > time {
			r.soonest = never
			if b != nil {
				r.soonest = b.ended
			}
			return nil
		}
		for last := min(time, other); b.ended <= last; b.take() {
			call := b.next()
			if !ready(call) {
				b.hold()
				r.held = true
				break
			}
			if err := r.decoder.io(call); err != nil {
				return err
			}
		}
	}
}

// resume lets calls be read again that waited for an identity. What its thread did
// later stands behind the identity in the ring buffer; and what other threads did
// that came to the same CPU after the call does, too.
func (r *reader) resume() {
	for i := range r.calls.each {
		r.calls.each[i].look()
	}
	r.held, r.soonest = false, 0
}

// identified tells whether the identity of a call's file has been read. A call may
// have to wait for it: one of the second count, and one that names a file for the
// first time, as another CPU can come between its end and the identity.
func (r *reader) identified(call *iotraceIo) bool {
	return call.File == 0 || r.decoder.files.known(call.File)
}

// sureCalls decodes the rest of the first count, for which nothing is missing.
func (r *reader) sureCalls() error {
	for i := range r.calls.each {
		r.calls.each[i].allow(max(r.sure[i], r.calls.each[i].taken))
	}
	return r.callsUntil(never-1, func(*iotraceIo) bool { return true })
}

func (r *reader) close() {
	r.ring.close()
	r.calls.close()
}

// ended is when what a record tells of ended, on the clock of the kernel.
func ended(b []byte) uint64 {
	switch iotraceRecord(b[0]) {
	case iotraceRecordREC_IO:
		r := as[iotraceIo](b)
		return r.Start + r.Dur
	case iotraceRecordREC_NAMES:
		return as[iotraceCall](b).Start
	case iotraceRecordREC_CALL:
		r := as[iotraceCall](b)
		return r.Start + r.Dur
	case iotraceRecordREC_FILE:
		return as[iotraceIdent](b).Time
	case iotraceRecordREC_ASYNC:
		return as[iotraceAsync](b).Complete
	case iotraceRecordREC_FAULT:
		r := as[iotraceFault](b)
		return r.Start + r.Dur
	case iotraceRecordREC_REQUEST:
		return as[requestHead](b).Completed
	case iotraceRecordREC_WAIT:
		r := as[iotraceWait](b)
		return r.Start + r.Dur
	case iotraceRecordREC_FORK:
		return as[iotraceFork](b).Time
	case iotraceRecordREC_EXEC:
		return as[iotraceExec](b).Time
	case iotraceRecordREC_EXIT:
		return as[iotraceExit](b).Time
	case iotraceRecordREC_COMMIT:
		return as[iotraceCommit](b).Time
	case iotraceRecordREC_RPC:
		return as[iotraceRpc](b).Ended
	}
	return 0
}
