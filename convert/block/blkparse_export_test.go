package block

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/iotrace/iotrace/convert/internal/trial"
	"github.com/iotrace/iotrace/internal/output"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// inMemory keeps what is exported.
type inMemory struct {
	output.Files
	to *bytes.Buffer
}

func (m inMemory) Write(_ string, _ bool, write func(*bufio.Writer) error) error {
	w := bufio.NewWriter(m.to)
	return errors.Join(write(w), w.Flush())
}

// What is printed of the recordings is read as the same requests, but for what blkparse has no letters and lines for.
func TestExportIsImported(t *testing.T) {
	recordings, err := filepath.Glob("../../testdata/*.iotrace")
	if err != nil || len(recordings) < 10 {
		t.Fatalf("%d recordings, %v", len(recordings), err)
	}
	all := 0
	for _, path := range recordings {
		var text bytes.Buffer
		to := output.Destination{Files: inMemory{to: &text}}
		if _, err := ExportBlkparse(path, "x", to); err != nil {
			t.Fatal(err)
		}
		want := requestsOf(t, path)
		if all += len(want); len(want) == 0 {
			continue
		}
		log, c := trial.Import(t, &Blkparse, text.String())
		if c.Damaged > 0 {
			t.Errorf("%s: %+v", path, c)
		}
		for i := range log.Requests {
			printable(&log.Requests[i])
		}
		sorted(want)
		sorted(log.Requests)
		if d := gocmp.Diff(want, log.Requests); d != "" {
			t.Errorf("%s (-trace +read from blkparse's text):\n%s", path, d)
		}
	}
	if all < 2000 {
		t.Errorf("%d requests", all)
	}
}

// printable leaves of a request what blkparse prints.
func printable(r *trace.Request) {
	r.TID, r.Owner, r.File, r.Offset, r.Evidence, r.More = r.PID, 0, 0, trace.NoOffset, 0, nil
	r.Bios, r.Requeues, r.Bytes = 1, 0, (r.Bytes+511)/512*512
	r.Flags &= trace.ReqSync | trace.ReqMeta | trace.ReqFUA | trace.ReqPreflush | trace.ReqReadahead | trace.ReqBioBased
	switch r.Op {
	case trace.ReqFlush:
		r.Flags, r.Sector = trace.ReqSync, 0
	case trace.ReqWriteZeroes:
		r.Op = trace.ReqOther
	}
	if r.Flags&trace.ReqBioBased != 0 {
		r.Queued = r.Issued
	}
}

func requestsOf(t *testing.T, path string) (all []trace.Request) {
	t.Helper()
	f, err := tracefile.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for b := (trace.Batch{}); ; {
		if err := f.Next(&b); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		for _, r := range b.Requests {
			printable(&r)
			all = append(all, r)
		}
	}
}

func sorted(list []trace.Request) {
	slices.SortFunc(list, func(a, b trace.Request) int {
		return cmp.Or(cmp.Compare(a.Issued, b.Issued), cmp.Compare(a.Sector, b.Sector),
			cmp.Compare(a.Completed, b.Completed))
	})
}
