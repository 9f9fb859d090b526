//go:build linux

package testenv

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// device is a loop device with a file system on it whose every read and write
// takes the time that a Model says, such as a fixed one however many are under way. The kernel offers no such
// device, so the file behind the loop device is served from memory by this
// process through FUSE. The messages are those of linux/fuse.h, protocol 7.31.
type device struct {
	mounted string // the directory
	image   string // what it is mounted from
	fuse    int
	memory  []byte
	model   *Model
	log     *journal   // nil: nothing is noted
	undo    [][]string // errands, the last first
}

// Size is that of a device of which no other is said, in bytes.
const Size = 2560 << 20

// The requests that a file without a directory can get.
const (
	fuseForget    = 2
	fuseGetattr   = 3
	fuseSetattr   = 4
	fuseOpen      = 14
	fuseRead      = 15
	fuseWrite     = 16
	fuseRelease   = 18
	fuseFsync     = 20
	fuseFlush     = 25
	fuseInit      = 26
	fuseInterrupt = 36
	fuseDestroy   = 38

	fuseHeader   = 40
	fuseMaxWrite = 1 << 20
)

// newDevice mounts the device's file system at dir/slow.
func newDevice(dir string, model *Model) (d *device, err error) {
	d = &device{mounted: filepath.Join(dir, "slow"), image: filepath.Join(dir, "slow.img"), model: model}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("making the slow device: %w", err), d.close())
		}
	}()
	if model.Log != "" {
		if d.log, err = newJournal(model.Log); err != nil {
			return d, err
		}
	}
	if err := errors.Join(os.WriteFile(d.image, nil, 0o600), os.Mkdir(d.mounted, 0o700)); err != nil {
		return d, err
	}
	if d.memory, err = unix.Mmap(-1, 0, int(model.Size), unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_PRIVATE|unix.MAP_ANONYMOUS|unix.MAP_POPULATE); err != nil {
		return d, err
	}
	if model.Image != "" {
		if err := d.load(model.Image); err != nil {
			return d, err
		}
	}
	if d.fuse, err = unix.Open("/dev/fuse", unix.O_RDWR|unix.O_CLOEXEC, 0); err != nil {
		return d, err
	}
	if err := unix.Mount("slow", d.image, "fuse", 0, fmt.Sprintf("fd=%d,rootmode=100000,user_id=0,group_id=0",
		d.fuse)); err != nil {
		return d, err
	}
	d.undo = append(d.undo, []string{unmountErrand, d.image})
	go d.serve()
	loop, err := errand(attachErrand, d.image)
	if err != nil {
		return d, err
	}
	d.undo = append(d.undo, []string{detachErrand, loop})
	if err := ResetDevice(loop); err != nil {
		return d, err
	}
	kind := strings.Fields(cmp.Or(model.FileSystem, "ext4"))
	if model.Image == "" {
		if err := makeFileSystem(kind, loop); err != nil {
			return d, err
		}
	}
	if _, err := errand(mountErrand, loop, d.mounted, kind[0]); err != nil {
		return d, err
	}
	d.undo = append(d.undo, []string{unmountErrand, d.mounted})
	return d, nil
}

// load fills the memory with what the device holds at first, as if that had been written and flushed.
func (d *device) load(image string) error {
	content, err := os.ReadFile(image)
	if err != nil {
		return err
	}
	copy(d.memory, content)
	for at := 0; at < len(content); at += fuseMaxWrite {
		if errno := d.log.note(time.Now(), int64(at), content[at:min(at+fuseMaxWrite, len(content))]); errno != 0 {
			return errno
		}
	}
	if errno := d.log.note(time.Now(), flush, nil); errno != 0 {
		return errno
	}
	return nil
}

// makeFileSystem makes one of a kind, with options of mkfs.
func makeFileSystem(kind []string, loop string) error {
	makeIt := exec.Command("mkfs."+kind[0], kind[1:]...)
	switch kind[0] {
	case "vfat", "exfat":
		makeIt.Args = append(makeIt.Args, loop)
	case "xfs", "btrfs":
		makeIt.Args = append(makeIt.Args, "-q", "-f", "-K", loop)
	default:
		makeIt.Args = append(makeIt.Args, "-q", "-E", "nodiscard,lazy_itable_init=0,lazy_journal_init=0", loop)
	}
	if out, err := makeIt.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", makeIt, err, out)
	}
	return nil
}

// close unmounts the file system and removes what newDevice made.
func (d *device) close() error {
	var errs []error
	for i := len(d.undo) - 1; i >= 0; i-- {
		errs = append(errs, insist(d.undo[i]))
	}
	if d.fuse > 0 {
		errs = append(errs, unix.Close(d.fuse))
	}
	return errors.Join(append(errs, d.log.close(), os.Remove(d.mounted), os.Remove(d.image))...)
}

// insist runs an errand again while it fails, for some seconds: a process that was killed is in the file system until
// its last request is done. Another mount namespace may have a copy of the mount for longer: the last try takes it away
// here.
func insist(words []string) (err error) {
	for i := range 12 {
		if i == 11 && words[0] == unmountErrand {
			words = []string{lazyErrand, words[1]}
		}
		if _, err = errand(words...); err == nil {
			return nil
		}
		time.Sleep(200 * time.Millisecond)
	}
	return err
}

// serve answers requests until the file is unmounted, each for itself.
func (d *device) serve() {
	free := sync.Pool{New: func() any { return new([fuseMaxWrite + 4096]byte) }}
	for {
		buf := free.Get().(*[fuseMaxWrite + 4096]byte)
		n, err := unix.Read(d.fuse, buf[:])
		switch {
		case errors.Is(err, unix.EINTR), errors.Is(err, unix.ENOENT), errors.Is(err, unix.EAGAIN):
			continue
		case err != nil || n < fuseHeader:
			return
		}
		go func() {
			d.answer(buf[:n])
			free.Put(buf)
		}()
	}
}

func (d *device) answer(in []byte) {
	le := binary.LittleEndian
	op, unique, body, came := le.Uint32(in[4:]), le.Uint64(in[8:]), in[fuseHeader:], time.Now()
	var out []byte
	failed := unix.Errno(0)
	switch op {
	case fuseForget, fuseInterrupt:
		return
	case fuseInit:
		const asyncRead, bigWrites, asyncDirect, maxPages = 1 << 0, 1 << 5, 1 << 15, 1 << 22
		out = make([]byte, 64)
		le.PutUint32(out, 7)
		le.PutUint32(out[4:], 31)
		le.PutUint32(out[8:], le.Uint32(body[8:]))
		le.PutUint32(out[12:], asyncRead|bigWrites|asyncDirect|maxPages)
		le.PutUint16(out[16:], 64) // requests in the background
		le.PutUint16(out[18:], 64)
		le.PutUint32(out[20:], fuseMaxWrite)
		le.PutUint32(out[24:], 1)
		le.PutUint16(out[28:], fuseMaxWrite/4096)
	case fuseGetattr, fuseSetattr:
		out = make([]byte, 104)
		le.PutUint64(out, 3600) // seconds for which it holds
		le.PutUint64(out[16:], 1)
		le.PutUint64(out[24:], uint64(d.model.Size))
		le.PutUint64(out[32:], uint64(d.model.Size/512))
		le.PutUint32(out[76:], unix.S_IFREG|0o600)
		le.PutUint32(out[80:], 1)
		le.PutUint32(out[96:], 4096)
	case fuseOpen:
		const keepCache, parallelDirectWrites = 1 << 1, 1 << 6
		out = make([]byte, 16)
		le.PutUint32(out[8:], keepCache|parallelDirectWrites)
	case fuseRead:
		d.model.serve(d.model.Read, int64(le.Uint32(body[16:])))
		out = part(d.memory, le.Uint64(body[8:]), le.Uint32(body[16:]))
	case fuseWrite:
		d.model.serve(d.model.Write, int64(le.Uint32(body[16:])))
		data := body[40:]
		n := copy(part(d.memory, le.Uint64(body[8:]), le.Uint32(body[16:])), data)
		if failed = d.log.note(came, int64(le.Uint64(body[8:])), data[:n]); failed != 0 {
			break
		}
		out = make([]byte, 8)
		le.PutUint32(out, uint32(n))
	case fuseFsync:
		failed = d.log.note(came, flush, nil)
	case fuseRelease, fuseFlush, fuseDestroy:
	default:
		failed = unix.ENOSYS
	}
	if failed != 0 {
		out = nil
	}
	reply := make([]byte, 16)
	le.PutUint32(reply, uint32(16+len(out)))
	le.PutUint32(reply[4:], uint32(-int32(failed)))
	le.PutUint64(reply[8:], unique)
	_, _ = unix.Writev(d.fuse, [][]byte{reply, out}) // fails if the request was given up
}

// part is what there is of a range.
func part(memory []byte, off uint64, n uint32) []byte {
	off = min(off, uint64(len(memory)))
	return memory[off:min(off+uint64(n), uint64(len(memory)))]
}
