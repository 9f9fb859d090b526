package kdebug

import (
	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
)

// finishAIO pairs aio_read and aio_write with the aio_return that collects the
// result. File, offset and length are in the control block in user memory and
// stay unknown.
func (d *Decoder) finishAIO(c *finished) {
	if c.partial {
		return
	}
	key := aioKey{c.p.pid, c.arg(0)}
	if c.k.shape == macos.ShapeAIO {
		if c.Result < 0 {
			return
		}
		if len(d.aio) >= maxRequests {
			clear(d.aio)
		}
		op := trace.OpRead
		if c.k.flags&trace.FlagWrite != 0 {
			op = trace.OpWrite
		}
		d.aio[key] = aioOp{c.Start, c.TID, op}
		return
	}
	a, ok := d.aio[key]
	if !ok {
		return
	}
	delete(d.aio, key)
	d.keep(d.sink.AsyncOp(&trace.AsyncOp{Submit: a.submit, Complete: c.end, PID: c.p.pid, TID: a.tid,
		API: trace.APIPosixAIO, Op: a.op, Flags: trace.FlagPartial, Offset: trace.NoOffset,
		Requested: max(c.Result, 0), Result: c.Result}))
}
