package replay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
)

// ErrDiffers means that a copy is not what its source is.
var ErrDiffers = errors.New("a copy differs from its source")

// compare reads copies and their sources.
func compare(ctx context.Context, copies []Copy, files []*target) error {
	for _, c := range copies {
		if err := ctx.Err(); err != nil {
			return err
		}
		at, err := difference(files[c.From], files[c.To])
		if err != nil {
			return fmt.Errorf("comparing copies: %w", err)
		}
		if at >= 0 {
			return fmt.Errorf("comparing copies: file %d at byte %d: %w (a defect of iotrace, the file system or the drive)",
				c.To, at, ErrDiffers)
		}
	}
	return nil
}

// difference is where two files first differ, −1 if they are the same.
func difference(source, other *target) (at int64, err error) {
	a, err := source.dir.OpenRegular(source.name)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	b, err := other.dir.OpenRegular(other.name)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	p, q := make([]byte, 1<<20), make([]byte, 1<<20)
	for {
		n, err := io.ReadFull(a, p)
		m, err2 := io.ReadFull(b, q)
		if !bytes.Equal(p[:n], q[:m]) {
			same := 0
			for same < min(n, m) && p[same] == q[same] {
				same++
			}
			return at + int64(same), nil
		}
		at += int64(n)
		if err = errors.Join(unlessEnded(err), unlessEnded(err2)); err != nil {
			return 0, err
		}
		if n < len(p) { // as the other did
			return -1, nil
		}
	}
}

// unlessEnded is an error of reading that is not the end of the file.
func unlessEnded(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}
