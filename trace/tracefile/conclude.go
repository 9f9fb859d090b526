package tracefile

import (
	"errors"
	"io"

	"github.com/iotrace/iotrace/trace"
)

// endTrace reads the end frame and what may come after it.
func (r *Reader) endTrace(f frame, at int64, payload []byte) error {
	if !r.hurt && (r.open || f.batch != r.batch+1) {
		r.report(at, "the trace has %d batches, the last one read is %d", f.batch-1, r.batch)
	}
	end, err := UnmarshalEnd(payload)
	if err != nil {
		return err
	}
	r.end = &end
	r.done = true
	r.conclude()
	f, err = r.next()
	if err == nil && f.kind == frameTrailer {
		_, err = r.payload(f)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return nil // only the trailer is incomplete
	}
	if at := r.offset; len(r.peek(1)) > 0 {
		r.report(at, "there is data after the end of the trace")
	}
	return nil
}

// conclude compares the whole of what was read with what the trace says of
// itself. Damage that was found before explains any difference.
func (r *Reader) conclude() {
	l := r.totals
	if l == nil || len(r.damage) > 0 || l.seeked {
		return
	}
	if r.end != nil {
		for k := trace.KindSyscall; k <= trace.KindLost && len(r.end.Counts) > 0; k++ {
			if said := r.end.Counts[k.String()]; said != l.counts[k] {
				r.report(r.offset, "the trace has %d events of kind %s; its end says %d", l.counts[k], k, said)
			}
		}
		if l.last > r.end.Duration+windowSlack {
			r.report(r.offset, "the last event ended after %d ns, the recording after %d ns", l.last, r.end.Duration)
		}
	}
	if l.whole && !l.identitiesLost && l.undescribed > 0 {
		r.report(l.firstUndescribed, "events refer to %d files or devices that the trace does not describe", l.undescribed)
	}
}
