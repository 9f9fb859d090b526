//go:build linux

package testenv

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// journal notes what a device was given, in the order in which it had it: the time at which each came, the time at
// which it was done, where it goes and the data.
type journal struct {
	mu   sync.Mutex
	file *os.File
	out  *bufio.Writer
}

// flush is noted in place of an offset.
const flush = -1

// noted is what precedes the data.
type noted struct{ Came, Done, At, Bytes int64 }

func newJournal(name string) (*journal, error) {
	f, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	return &journal{file: f, out: bufio.NewWriterSize(f, 1<<20)}, nil
}

// note adds a write, or a flush. A nil journal notes nothing.
func (j *journal) note(came time.Time, at int64, data []byte) unix.Errno {
	if j == nil {
		return 0
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	err := binary.Write(j.out, binary.LittleEndian, noted{came.UnixNano(), time.Now().UnixNano(), at, int64(len(data))})
	if err == nil {
		_, err = j.out.Write(data)
	}
	if err != nil {
		return unix.EIO
	}
	return 0
}

func (j *journal) close() error {
	if j == nil {
		return nil
	}
	return errors.Join(j.out.Flush(), j.file.Close())
}

// Image writes what a device whose Log is given held at a time into a new file, had it lost its power then. What lay in
// its volatile cache is lost: all that was not done as a flush came that was done by then. A device that writes through
// has lost nothing of what was done.
func Image(log, to string, size int64, when time.Time, through bool) error {
	kept, err := keptUntil(log, when, through)
	if err != nil {
		return err
	}
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	err = f.Truncate(size)
	err = errors.Join(err, read(log, func(n *noted, data []byte) error {
		if n.At == flush || n.Done > kept {
			return nil
		}
		_, err := f.WriteAt(data, n.At)
		return err
	}))
	return errors.Join(err, f.Close())
}

// keptUntil is when what is kept was done at the latest.
func keptUntil(log string, when time.Time, through bool) (kept int64, err error) {
	if through {
		return when.UnixNano(), nil
	}
	return kept, read(log, func(n *noted, _ []byte) error {
		if n.At == flush && n.Done <= when.UnixNano() {
			kept = max(kept, n.Came)
		}
		return nil
	})
}

// read calls a function for all that is noted.
func read(log string, each func(*noted, []byte) error) error {
	f, err := os.Open(log)
	if err != nil {
		return err
	}
	defer f.Close()
	in, data := bufio.NewReaderSize(f, 1<<20), make([]byte, fuseMaxWrite)
	for {
		var n noted
		switch err := binary.Read(in, binary.LittleEndian, &n); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("reading %s: %w", log, err)
		case n.Bytes > fuseMaxWrite:
			return fmt.Errorf("%s holds a write of %d bytes", log, n.Bytes)
		}
		if _, err := io.ReadFull(in, data[:n.Bytes]); err != nil {
			return fmt.Errorf("reading %s: %w", log, err)
		}
		if err := each(&n, data[:n.Bytes]); err != nil {
			return err
		}
	}
}
