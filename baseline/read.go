package baseline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/iotrace/iotrace/internal/bounded"
	"github.com/iotrace/iotrace/internal/visible"
)

// maxValues bounds the values of a file of results: one of the whole catalogue, with ten runs each, has some ten
// thousand.
const maxValues = 1 << 18

// document is what is in a file of results, which anybody may have made.
func document(file string) ([]byte, error) {
	text, err := bounded.File(file)
	if err != nil {
		return nil, err
	}
	if err := bounded.JSON(text, maxValues); err != nil {
		return nil, fmt.Errorf("reading %s: not results of bench: %w", file, err)
	}
	return text, nil
}

// ReadReport reads a file made by bench --json, or beside a recorded bench. Its texts are made fit to be shown.
func ReadReport(file string) (*Report, error) {
	r, err := readReport(file)
	return visible.Clone(r), err
}

func readReport(file string) (*Report, error) {
	text, err := document(file)
	if err != nil {
		return nil, err
	}
	r := new(Report)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("reading %s: not a bench result: %w", file, place(err))
	}
	if r.Type != "bench" || r.Version != 1 {
		return nil, fmt.Errorf("reading %s: not a bench result of version 1; make one with iotrace bench --json, or -o", file)
	}
	return r, nil
}

// ReadResults reads a file made by bench --json or -o: a *Report, a *Review of bench --with, or a *SustainedReport. Its
// texts are made fit to be shown.
func ReadResults(file string) (any, error) {
	r, err := ReadExact(file)
	return visible.Clone(r), err
}

// ReadExact is ReadResults with all texts as the file has them, for what is not shown.
func ReadExact(file string) (any, error) {
	text, err := document(file)
	if err != nil {
		return nil, err
	}
	var head struct{ Type string }
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("reading %s: not results of bench: %w", file, place(err))
	}
	switch head.Type {
	case "sustained":
		r := new(SustainedReport)
		if err := json.Unmarshal(text, r); err != nil {
			return nil, fmt.Errorf("reading %s: not a sustained run: %w", file, place(err))
		}
		if r.Version != 1 {
			return nil, fmt.Errorf("reading %s: a sustained run of version %d, which this iotrace does not know", file,
				r.Version)
		}
		return r, nil
	case "review":
	default:
		return readReport(file)
	}
	r := new(Review)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("reading %s: not a review: %w", file, place(err))
	}
	return r, r.check(file)
}

// place says where JSON is not what it should be, and nothing of what stands there: the file may be one that its
// reader may not see.
func place(err error) error {
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("it is no JSON from byte %d on", e.Offset)
	}
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("its field %s is none of results", e.Field)
	}
	return errors.New("it is no JSON of results")
}

// IsReport reports whether a file begins with a JSON object, as a bench result does and a trace does not. A pipe is
// not looked into.
func IsReport(file string) (bool, error) {
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
		return false, err
	}
	f, err := os.Open(file)
	if err != nil {
		return false, err
	}
	defer f.Close()
	var head [64]byte
	n, err := io.ReadFull(f, head[:])
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, fmt.Errorf("reading %s: %w", file, err)
	}
	return bytes.HasPrefix(bytes.TrimSpace(head[:n]), []byte("{")), nil
}
