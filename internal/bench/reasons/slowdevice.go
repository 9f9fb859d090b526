//go:build linux

package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// slowDevice is a loop device with a file system on it whose every read and
// write takes a fixed time, however many are under way: a device on which
// nothing but depth helps. The kernel offers no such device, so the file behind
// the loop device is served from memory by this process through FUSE. The
// messages are those of linux/fuse.h, protocol 7.31.
type slowDevice struct {
	fuse    int
	memory  int // memfd
	size    int64
	latency time.Duration
	undo    [][]string // commands, the last first
}

const slowSize = 768 << 20

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

// newSlowDevice mounts the device's file system at dir/slow.
func newSlowDevice(dir string, latency time.Duration) (d *slowDevice, err error) {
	d = &slowDevice{size: slowSize, latency: latency}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("making the slow device: %w", err), d.close())
		}
	}()
	image, mount := filepath.Join(dir, "slow.img"), filepath.Join(dir, "slow")
	if err := errors.Join(os.WriteFile(image, nil, 0o600), os.Mkdir(mount, 0o700)); err != nil {
		return d, err
	}
	if d.memory, err = unix.MemfdCreate("slow", unix.MFD_CLOEXEC); err != nil {
		return d, err
	}
	if err := unix.Ftruncate(d.memory, d.size); err != nil {
		return d, err
	}
	if d.fuse, err = unix.Open("/dev/fuse", unix.O_RDWR|unix.O_CLOEXEC, 0); err != nil {
		return d, err
	}
	if err := unix.Mount("slow", image, "fuse", 0, fmt.Sprintf("fd=%d,rootmode=100000,user_id=0,group_id=0", d.fuse)); err != nil {
		return d, err
	}
	d.undo = append(d.undo, []string{"umount", image})
	go d.serve()
	out, err := exec.Command("losetup", "--find", "--show", "--direct-io=on", image).CombinedOutput()
	if err != nil {
		return d, fmt.Errorf("losetup: %w: %s", err, out)
	}
	loop := strings.TrimSpace(string(out))
	d.undo = append(d.undo, []string{"losetup", "--detach", loop})
	if out, err := exec.Command("mkfs.ext4", "-q", "-E", "nodiscard,lazy_itable_init=0,lazy_journal_init=0", loop).CombinedOutput(); err != nil {
		return d, fmt.Errorf("mkfs.ext4: %w: %s", err, out)
	}
	if out, err := exec.Command("mount", "-o", "noatime", loop, mount).CombinedOutput(); err != nil {
		return d, fmt.Errorf("mount: %w: %s", err, out)
	}
	d.undo = append(d.undo, []string{"umount", mount})
	return d, nil
}

func (d *slowDevice) close() error {
	var errs []error
	for i := len(d.undo) - 1; i >= 0; i-- {
		if out, err := exec.Command(d.undo[i][0], d.undo[i][1:]...).CombinedOutput(); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w: %s", strings.Join(d.undo[i], " "), err, out))
		}
	}
	for _, fd := range []int{d.fuse, d.memory} {
		if fd > 0 {
			errs = append(errs, unix.Close(fd))
		}
	}
	return errors.Join(errs...)
}

// serve answers requests until the file is unmounted, each for itself.
func (d *slowDevice) serve() {
	for {
		buf := make([]byte, fuseMaxWrite+4096)
		n, err := unix.Read(d.fuse, buf)
		switch {
		case errors.Is(err, unix.EINTR), errors.Is(err, unix.ENOENT), errors.Is(err, unix.EAGAIN):
			continue
		case err != nil || n < fuseHeader:
			return
		}
		go d.answer(buf[:n])
	}
}

func (d *slowDevice) answer(in []byte) {
	le := binary.LittleEndian
	op, unique, body := le.Uint32(in[4:]), le.Uint64(in[8:]), in[fuseHeader:]
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
		le.PutUint64(out[24:], uint64(d.size))
		le.PutUint64(out[32:], uint64(d.size/512))
		le.PutUint32(out[76:], unix.S_IFREG|0o600)
		le.PutUint32(out[80:], 1)
		le.PutUint32(out[96:], 4096)
	case fuseOpen:
		const keepCache, parallelDirectWrites = 1 << 1, 1 << 6
		out = make([]byte, 16)
		le.PutUint32(out[8:], keepCache|parallelDirectWrites)
	case fuseRead:
		time.Sleep(d.latency)
		out = make([]byte, le.Uint32(body[16:]))
		n, err := unix.Pread(d.memory, out, int64(le.Uint64(body[8:])))
		if err != nil {
			failed = unix.EIO
		}
		out = out[:max(n, 0)]
	case fuseWrite:
		time.Sleep(d.latency)
		n, err := unix.Pwrite(d.memory, body[40:40+le.Uint32(body[16:])], int64(le.Uint64(body[8:])))
		if err != nil {
			failed = unix.EIO
		}
		out = make([]byte, 8)
		le.PutUint32(out, uint32(max(n, 0)))
	case fuseRelease, fuseFsync, fuseFlush, fuseDestroy:
	default:
		failed = unix.ENOSYS
	}
	if failed != 0 {
		out = nil
	}
	reply := make([]byte, 16, 16+len(out))
	le.PutUint32(reply, uint32(16+len(out)))
	le.PutUint32(reply[4:], uint32(-int32(failed)))
	le.PutUint64(reply[8:], unique)
	_, _ = unix.Write(d.fuse, append(reply, out...)) // fails if the request was given up
}
