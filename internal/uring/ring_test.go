//go:build linux

package uring

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/testenv"
)

// newRing locks the test to its thread, as a Ring demands.
func newRing(t testing.TB, depth int) *Ring {
	t.Helper()
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	r, err := New(depth)
	if errors.Is(err, ErrUnavailable) {
		testenv.Missing(t, "%v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func tempFile(t testing.TB, content []byte) *os.File {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if _, err := f.Write(content); err != nil {
		t.Fatal(err)
	}
	return f
}

func randomBytes(n int, seed uint64) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{byte(seed), 1}).Read(b)
	return b
}

// one submits what is prepared and returns its single completion.
func one(t *testing.T, r *Ring) CQE {
	t.Helper()
	if err := r.Submit(1); err != nil {
		t.Fatal(err)
	}
	c, ok := r.Take()
	if !ok {
		t.Fatal("Submit(1) returned without a completion")
	}
	if _, ok := r.Take(); ok {
		t.Fatal("a second completion for one operation")
	}
	return c
}

func TestABI(t *testing.T) {
	for name, sizes := range map[string][2]uintptr{
		"params": {unsafe.Sizeof(params{}), 120},
		"SQE":    {unsafe.Sizeof(SQE{}), 64},
		"CQE":    {unsafe.Sizeof(CQE{}), 16},
	} {
		if sizes[0] != sizes[1] {
			t.Errorf("%s has %d bytes, the kernel's has %d", name, sizes[0], sizes[1])
		}
	}
}

func TestWriteThenRead(t *testing.T) {
	r := newRing(t, 4)
	f := tempFile(t, nil)
	want := randomBytes(10000, 1)
	r.Next().Write(int(f.Fd()), want, 123, 0, 7)
	if c := one(t, r); c.Res != 10000 || c.UserData != 7 {
		t.Fatalf("write completed with %d, user data %d", c.Res, c.UserData)
	}
	r.Next().Fsync(int(f.Fd()), true, 8)
	if c := one(t, r); c.Res != 0 || c.UserData != 8 {
		t.Fatalf("fdatasync completed with %d, user data %d", c.Res, c.UserData)
	}
	onDisk, err := os.ReadFile(f.Name())
	if err != nil || len(onDisk) != 10123 || !bytes.Equal(onDisk[123:], want) {
		t.Fatalf("the file holds %d bytes, not what was written (%v)", len(onDisk), err)
	}
	got := make([]byte, 20000)
	r.Next().Read(int(f.Fd()), got, 123, 0, 9)
	if c := one(t, r); c.Res != 10000 || !bytes.Equal(got[:10000], want) {
		t.Fatalf("read at the end of the file completed with %d", c.Res)
	}
}

func TestReadv(t *testing.T) {
	r := newRing(t, 1)
	want := randomBytes(300, 2)
	f := tempFile(t, want)
	a, b := make([]byte, 100), make([]byte, 200)
	iov := []unix.Iovec{{Base: &a[0]}, {Base: &b[0]}}
	iov[0].SetLen(len(a))
	iov[1].SetLen(len(b))
	r.Next().Readv(int(f.Fd()), iov, 0, 0, 0)
	if c := one(t, r); c.Res != 300 || !bytes.Equal(append(a, b...), want) {
		t.Fatalf("readv completed with %d", c.Res)
	}
}

func TestFixedBuffersAndFiles(t *testing.T) {
	r := newRing(t, 2)
	f := tempFile(t, nil)
	bufs := [][]byte{randomBytes(8192, 3), make([]byte, 8192)}
	if err := r.RegisterBuffers(bufs); err != nil {
		t.Fatal(err)
	}
	if err := r.RegisterFiles([]int32{int32(f.Fd())}); err != nil {
		t.Fatal(err)
	}
	e := r.Next()
	e.WriteFixed(0, bufs[0][4096:], 0, 0, 0, 1)
	e.FixedFile()
	if c := one(t, r); c.Res != 4096 {
		t.Fatalf("write from a registered buffer completed with %d", c.Res)
	}
	e = r.Next()
	e.ReadFixed(0, bufs[1][:4096], 1, 0, 0, 2)
	e.FixedFile()
	if c := one(t, r); c.Res != 4096 || !bytes.Equal(bufs[1][:4096], bufs[0][4096:]) {
		t.Fatalf("read into a registered buffer completed with %d", c.Res)
	}
}

func TestErrorsComeBackInTheCompletion(t *testing.T) {
	r := newRing(t, 1)
	r.Next().Read(-1, make([]byte, 1), 0, 0, 0)
	if c := one(t, r); c.Res != -int32(unix.EBADF) {
		t.Errorf("reading descriptor -1 completed with %d, not EBADF", c.Res)
	}
	for _, depth := range []int{0, -1, 40000} {
		if _, err := New(depth); err == nil {
			t.Errorf("New(%d) did not fail", depth)
		}
	}
}

// TestFullQueue keeps the ring full for many laps, so that every index wraps,
// and checks that each operation completes once with its own data.
func TestFullQueue(t *testing.T) {
	const depth, block, blocks, laps = 8, 512, 64, 50
	r := newRing(t, depth)
	content := randomBytes(block*blocks, 4)
	f := tempFile(t, content)
	bufs := make([][]byte, depth)
	where := make([]int, depth) // block that a buffer is waiting for
	seen := make([]int, blocks)
	next := 0
	submit := func(slot int) {
		e := r.Next()
		if e == nil {
			t.Fatalf("no entry for operation %d although only %d are outstanding", next, depth)
		}
		where[slot] = next % blocks
		e.Read(int(f.Fd()), bufs[slot], int64(where[slot])*block, 0, uint64(slot))
		next++
	}
	for slot := range bufs {
		bufs[slot] = make([]byte, block)
		submit(slot)
	}
	if r.Next() != nil {
		t.Fatal("a full queue handed out an entry")
	}
	for outstanding := depth; outstanding > 0; {
		if err := r.Submit(1); err != nil {
			t.Fatal(err)
		}
		for c, ok := r.Take(); ok; c, ok = r.Take() {
			slot := int(c.UserData)
			at := where[slot] * block
			if c.Res != block || !bytes.Equal(bufs[slot], content[at:at+block]) {
				t.Fatalf("block %d: result %d or wrong data", where[slot], c.Res)
			}
			seen[where[slot]]++
			outstanding--
			if next < blocks*laps {
				submit(slot)
				outstanding++
			}
		}
	}
	for i, n := range seen {
		if n != laps {
			t.Errorf("block %d was read %d times, not %d", i, n, laps)
		}
	}
}

func TestNoAllocation(t *testing.T) {
	r := newRing(t, 1)
	f := tempFile(t, make([]byte, 4096))
	buf := make([]byte, 4096)
	fd := int(f.Fd())
	n := testing.AllocsPerRun(100, func() {
		r.Next().Read(fd, buf, 0, 0, 0)
		if err := r.Submit(1); err != nil {
			t.Fatal(err)
		}
		r.Take()
	})
	if n != 0 {
		t.Errorf("an operation allocates %v times", n)
	}
}

// BenchmarkCachedRead is the price of one operation without a device.
func BenchmarkCachedRead(b *testing.B) {
	r := newRing(b, 1)
	f := tempFile(b, make([]byte, 4096))
	buf := make([]byte, 512)
	fd := int(f.Fd())
	for b.Loop() {
		r.Next().Read(fd, buf, 0, 0, 0)
		if err := r.Submit(1); err != nil {
			b.Fatal(err)
		}
		r.Take()
	}
}
