package experiment

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/storage"
	"github.com/iotrace/iotrace/internal/host"
)

// cellThread is one thread of a run.
type cellThread struct {
	run     *cellRun
	bufs    *storage.Buffers
	in, out *storage.File
	pauses  pauses
	mapped  []byte // of in
	done    int64  // when its last call ended
	dirty   int64  // written since the last sync
	busy    int64
	syncs   int64
}

// open opens the files with an index. Only the first thread creates them.
func (t *cellThread) open(i int, create bool) (err error) {
	cache := baseline.Direct
	if t.run.cell.Buffered {
		cache = baseline.Buffered
	}
	if s := t.run.sources; s != nil {
		if t.in, err = t.run.ws.Open(s.paths[i], unix.O_RDONLY, cache, false); err != nil {
			return err
		}
		if t.run.cell.Mapped {
			if t.mapped, err = mapFile(t.in, &t.run.cell); err != nil {
				return errors.Join(err, t.close())
			}
		}
	}
	if s := t.run.targets; s != nil {
		mode := unix.O_WRONLY
		if create && t.run.cell.Fresh {
			mode |= unix.O_CREAT
		}
		if t.out, err = t.run.ws.Open(s.paths[i], mode, cache, false); err != nil {
			return errors.Join(err, t.close())
		}
	}
	return nil
}

func (t *cellThread) close() error {
	var err error
	if t.mapped != nil {
		err = unix.Munmap(t.mapped)
		t.mapped = nil
	}
	for _, f := range []**storage.File{&t.in, &t.out} {
		if *f != nil {
			err = errors.Join(err, (*f).Close())
			*f = nil
		}
	}
	return err
}

func (t *cellThread) work() error {
	files := t.run.files()
	if !t.run.perFile() {
		size := files.sizes[0]
		blocks := (size + t.run.step - 1) / t.run.step
		for {
			i := t.run.next.Add(1) - 1
			if i >= blocks || t.run.over() {
				t.pauses.pay(0, true)
				return nil
			}
			if err := t.block(i, size); err != nil {
				return err
			}
		}
	}
	for {
		i := t.run.next.Add(1) - 1
		if i >= int64(len(files.sizes)) || t.run.over() {
			t.pauses.pay(0, true)
			return nil
		}
		if err := t.whole(int(i), files.sizes[i]); err != nil {
			return err
		}
	}
}

// whole moves a file, with the calls around it.
func (t *cellThread) whole(i int, size int64) error {
	if err := t.open(i, true); err != nil {
		return err
	}
	t.done = host.Now() // what the program does around its calls is not done within them
	for b := int64(0); b*t.run.step < size; b++ {
		if err := t.block(b, size); err != nil {
			return errors.Join(err, t.close())
		}
		if t.run.stop.Load() {
			break
		}
	}
	f := t.out
	if f == nil {
		f = t.in
	}
	if err := t.attributes(f); err != nil {
		return errors.Join(err, t.close())
	}
	return t.close()
}

// attributes makes the calls on the attributes of a file: copies look at its
// mode and its times, and set them.
func (t *cellThread) attributes(f *storage.File) error {
	var st unix.Stat_t
	for range t.run.cell.Looks {
		if err := unix.Fstat(f.FD, &st); err != nil {
			return &os.PathError{Op: "stat", Path: f.Path, Err: err}
		}
	}
	for range t.run.cell.Changes {
		if err := unix.Fchmod(f.FD, 0o600); err != nil {
			return &os.PathError{Op: "chmod", Path: f.Path, Err: err}
		}
	}
	return nil
}

// block moves block i of a file of a size.
func (t *cellThread) block(i, size int64) error {
	c := &t.run.cell
	if t.run.order != nil && i < int64(len(t.run.order)) {
		if j := int64(t.run.order[i]); j*c.Block < size {
			i = j
		}
	}
	at := i * t.run.step
	payload := min(t.run.step, size-at)
	if t.run.inKernel() {
		return t.kernelCopy(at, payload, size)
	}
	n := payload
	if !c.Buffered {
		n = host.Sectors(n)
	}
	buf := t.bufs.At(0)[:n]
	t.pauses.between(t.done)
	begun := host.Now()
	if t.mapped != nil {
		if err := touch(t.in, t.mapped, buf, at, t.out != nil); err != nil {
			return err
		}
	} else if t.in != nil {
		if err := readAll(t.in, payload, buf, at); err != nil {
			return err
		}
	} else if c.Compressible < 1 {
		storage.Stamp(buf, t.run.seed, at)
	}
	if t.out != nil {
		if t.in != nil {
			t.pauses.between(host.Now())
		}
		if err := t.write(buf, at, size); err != nil {
			return err
		}
	}
	t.moved(payload, begun)
	return nil
}

// moved notes that a call or two have moved a piece of the payload, and pauses for it.
func (t *cellThread) moved(payload, begun int64) {
	t.done = host.Now()
	t.busy += t.done - begun
	t.run.moved.Add(payload)
	if ended := t.pauses.pay(payload, false); ended > 0 {
		t.done = ended
	}
}

// kernelCopy lets the kernel copy a piece of a file of a size.
func (t *cellThread) kernelCopy(at, payload, size int64) error {
	every := t.run.cell.SyncEvery
	t.pauses.between(t.done)
	begun := host.Now()
	for end := at + payload; at < end; {
		piece := end - at
		if every > 0 {
			piece = min(piece, every)
		}
		n, err := host.CopyRange(t.out.FD, at, t.in.FD, at, piece)
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
	t.moved(payload, begun)
	return nil
}

// write writes a block of a file of a size, with the syncs that are due. A block
// that is larger than the distance of two syncs is written in pieces, so that
// data waits for a sync as long as it should, whatever the block size.
func (t *cellThread) write(buf []byte, at, size int64) error {
	every := t.run.cell.SyncEvery
	piece := int64(len(buf))
	if every > 0 && every < piece {
		piece = every
		if !t.run.cell.Buffered {
			piece = host.Sectors(piece)
		}
	}
	for len(buf) > 0 {
		n := min(piece, int64(len(buf)))
		if err := writeAll(t.out, buf[:n], at); err != nil {
			return err
		}
		buf, at = buf[n:], at+n
		t.dirty += n
		if err := t.syncDue(at, size); err != nil {
			return err
		}
	}
	return nil
}

// syncDue syncs if it is time to, with a file of a size written up to at.
func (t *cellThread) syncDue(at, size int64) error {
	every := t.run.cell.SyncEvery
	if every == 0 || t.dirty < every && !(at >= size && t.run.syncsEnd()) {
		return nil
	}
	sync := t.out.Datasync
	if t.run.cell.FullSync {
		sync = t.out.Sync
	}
	if err := sync(); err != nil {
		return err
	}
	t.dirty = 0
	t.syncs++
	return nil
}
