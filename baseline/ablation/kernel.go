package ablation

import (
	"fmt"
	"os"

	"github.com/iotrace/iotrace/baseline/storage"
	"github.com/iotrace/iotrace/internal/clock"
	"github.com/iotrace/iotrace/internal/sysfile"
)

// kernelCopy lets the kernel copy a piece of a file of a size.
func (t *cellThread) kernelCopy(at, payload, size int64) error {
	every := t.run.cell.SyncEvery
	t.between(t.done)
	begun := clock.Now()
	for end := at + payload; at < end; {
		piece := end - at
		if every > 0 {
			piece = min(piece, every)
		}
		n, err := sysfile.IgnoringEINTR(func() (int, error) { return storage.CopyRange(t.out.FD, t.in.FD, at, piece) })
		switch {
		case err != nil:
			return &os.PathError{Op: "copy_file_range", Path: t.out.Path, Err: err}
		case n == 0:
			return fmt.Errorf("copying %s: it is shorter than it was made", t.in.Path)
		}
		at += int64(n)
		t.dirty += int64(n)
		if err := t.syncDue(at, size); err != nil {
			return err
		}
	}
	t.done = clock.Now()
	t.busy += t.done - begun
	t.run.moved.Add(payload)
	return t.pause(payload, false)
}
