package tables

import (
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/iotrace/iotrace/internal/output"
)

// sum is the SHA-256 of a trace's file, by which its tables are known to be of the same trace.
func sum(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// present says whether the tables of a trace are there, whose names at knows: nil if they may be written. The table
// of traces gets its name last. Without it others are what an interrupted export has left, and are written again.
func (t Format) present(in output.Files, at func(table string) string, trace string) error {
	last := filepath.Join(in.Path(), at(tables[traces]))
	f, err := in.Open(at(tables[traces]))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	defer f.Close()
	there, err := t.sumIn(f)
	if err != nil {
		return fmt.Errorf("reading %s, which is there already: %w (replace it with -f)", last, err)
	}
	if there != trace {
		return fmt.Errorf("%s is of another trace (rename one, or replace it with -f)", last)
	}
	for _, table := range tables {
		f, err := in.Open(at(table))
		if err != nil {
			return nil // a table of a newer version, or one that was taken away
		}
		f.Close()
	}
	return output.ErrPresent
}

// sumIn is the sum in a table of traces; "" if it was written before there were any.
func (t Format) sumIn(f *os.File) (string, error) {
	if t == CSV {
		return sumInText(f)
	}
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	return parquetKey(f, info.Size(), "sha256")
}

func noRow(rows int) error {
	if rows == 0 {
		return errors.New("it has no row")
	}
	return nil
}

func sumInText(f io.Reader) (string, error) {
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) < 2 {
		return "", errors.Join(err, noRow(max(0, len(rows)-1)))
	}
	if n := slices.Index(rows[0], "sha256"); n >= 0 {
		return rows[1][n], nil
	}
	return "", nil
}
