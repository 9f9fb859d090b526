package host

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

func TestRetry(t *testing.T) {
	calls := 0
	err := Retry(func() error {
		if calls++; calls < 3 {
			return fmt.Errorf("fsync: %w", unix.EINTR)
		}
		return unix.EIO
	})
	if calls != 3 || !errors.Is(err, unix.EIO) {
		t.Errorf("%d calls, %v", calls, err)
	}
}

func TestIgnoreMissing(t *testing.T) {
	if err := IgnoreMissing(os.Remove(t.TempDir() + "/none")); err != nil {
		t.Error(err)
	}
	if err := IgnoreMissing(unix.EIO); !errors.Is(err, unix.EIO) {
		t.Error(err)
	}
}

func TestRandom(t *testing.T) {
	a, b, c := make([]byte, 100), make([]byte, 100), make([]byte, 100)
	FillRandom(a, 1)
	FillRandom(b, 1)
	FillRandom(c, 2)
	if !bytes.Equal(a, b) || bytes.Equal(a, c) {
		t.Error("want the same data for the same seed alone")
	}
}

// Whole goes on after a signal and a short call, asks for all of the last sector if it is direct, and says where a file
// ends.
func TestWhole(t *testing.T) {
	for _, direct := range []bool{false, true} {
		var asked [][2]int64
		n, err := Whole(5000, direct, func(at, n int64) (int, error) {
			asked = append(asked, [2]int64{at, n})
			if len(asked) == 1 {
				return -1, unix.EINTR
			}
			return int(min(n, 4096)), nil
		})
		end := int64(5000)
		if direct {
			end = 8192
		}
		if want := [][2]int64{{0, end}, {0, end}, {4096, end - 4096}}; n != 5000 || err != nil || !slices.Equal(asked, want) {
			t.Errorf("direct %v: %d bytes, %v, asked for %v, want %v", direct, n, err, asked, want)
		}
	}
	ends := func(int64, int64) (int, error) { return 0, nil }
	if _, err := Whole(10, false, ends); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
	fails := func(int64, int64) (int, error) { return -1, unix.EIO }
	if _, err := Whole(10, false, fails); !errors.Is(err, unix.EIO) {
		t.Error(err)
	}
}

func TestBuffersAreWholeSectors(t *testing.T) {
	b, err := AlignedBuffer(4097)
	if err != nil {
		t.Fatal(err)
	}
	if len(b) != 8192 || uintptr(unsafe.Pointer(&b[0]))%Sector != 0 || Sectors(0) != 0 || Sectors(4096) != 4096 {
		t.Errorf("%d bytes", len(b))
	}
	if err := unix.Munmap(b); err != nil {
		t.Error(err)
	}
}
