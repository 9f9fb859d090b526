package sysfile

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"testing"

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
	Random(a, 1)
	Random(b, 1)
	Random(c, 2)
	if !bytes.Equal(a, b) || bytes.Equal(a, c) {
		t.Error("want the same data for the same seed alone")
	}
}
