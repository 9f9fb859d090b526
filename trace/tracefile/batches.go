package tracefile

import (
	"fmt"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/internal/column"
)

// follow makes n the current batch and checks that none is missing before it.
// It is false if the batch was read already: what comes again is left out.
func (r *Reader) follow(n uint32, at int64) bool {
	if r.open && n == r.batch {
		return true
	}
	if n <= r.batch && r.batch > 0 {
		if n != r.again {
			r.report(at, "batch %d comes again, or too late", n)
		}
		r.again = n
		return false
	}
	switch {
	case r.hurt: // that is why
	case r.open:
		r.report(at, "the end of batch %d is missing", r.batch)
	case n != r.batch+1:
		r.report(at, "batch %d follows batch %d", n, r.batch)
	}
	r.batch, r.at, r.open, r.frames, r.again = n, at, true, 0, 0
	r.totals.begin()
	return true
}

// events reads a frame of events and leaves out those that cannot be true.
func (r *Reader) events(f frame, at int64, payload []byte) error {
	if f.count > column.MaxRows {
		return fmt.Errorf("at most %d rows are possible", column.MaxRows)
	}
	if err := r.totals.admit(f, r.offset); err != nil {
		return err
	}
	b, layout := r.decoder.Batch, layouts[f.kind]
	from, items, texts := layout.count(b), len(b.Extents)+len(b.Parents), r.decoder.Texts
	undescribed := uint64(0)
	if r.totals != nil {
		undescribed = r.totals.undescribed
	}
	r.rejects.reset(r.totals)
	if err := layout.read(&r.decoder, &r.rejects, payload, int(f.count)); err != nil || r.totals == nil {
		return err
	}
	kept := r.decoder.Texts - texts
	if f.kind == trace.KindProcess || f.kind == trace.KindFile || f.kind == trace.KindDevice {
		kept += identities * uint64(f.count)
	}
	if err := r.totals.afford(uint64(len(b.Extents)+len(b.Parents)-items), kept, r.offset); err != nil {
		layout.cut(b, from)
		return err
	}
	err := layout.sift(&r.rejects, b, from)
	if undescribed == 0 && r.totals.undescribed > 0 {
		r.totals.firstUndescribed = at
	}
	return err
}

func (r *Reader) endBatch(f frame, at int64, payload []byte) error {
	r.open = false
	hurt := r.hurt
	if r.frames != f.count && !hurt {
		r.report(at, "batch %d has %d frames of %d", f.batch, r.frames, f.count)
		hurt = true
	}
	r.hurt = false
	spans, err := readSpans(&r.decoder, payload, 1)
	if err != nil {
		return err
	}
	if !hurt {
		err = r.totals.balance(&spans[0])
	}
	if r.ended != nil {
		spans[0].Offset, spans[0].Batch = r.at, f.batch
		r.ended(spans[0])
	}
	return err
}
