// Package tables writes traces as tables, in Apache Parquet's format or as CSV. There is one for each kind of events,
// three for the copies, causes and amounts that the analyzer finds, and one with a row for the trace itself. The
// tables of many traces are in one directory, partitioned by host and date as Hive does it, which databases read as
// one.
package tables

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"net/url"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/iotrace/iotrace/analyzer"
	"github.com/iotrace/iotrace/analyzer/profile"

	"github.com/iotrace/iotrace/internal/output"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// tables are the names of all tables, in the order of the outputs of Writer.
var tables = []string{"calls", "async_ops", "faults", "requests", "request_pieces", "waits", "processes", "files",
	"devices", "lost", "rpcs", "copies", "causes", "amounts", "traces"}

const (
	copies  = 11 // behind those of events
	causes  = 12
	amounts = 13
	traces  = 14
)

// unknown is the value of a part of a place that a trace does not tell.
const unknown = "unknown"

// maxCopies bounds the copies of a trace, which are kept in memory.
const maxCopies = 1 << 20

// Export writes the tables of the trace at path, which it reads several times at
// once. name is what the trace is called there. The error is output.ErrPresent if all of
// them are there, of the same trace, and need not be replaced.
func (t Format) Export(path, name string, to output.Destination) (*tracefile.Reader, error) {
	f, err := tracefile.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	digest, err := sum(path)
	if err != nil {
		return nil, err
	}
	at := t.place(name, f.Header())
	if !to.Replace {
		if err := t.present(to, at, digest); err != nil {
			return nil, err
		}
	}
	found := make(chan *profile.Profile, 1)
	failed := make(chan error, 1)
	go func() {
		p, err := analyzer.Analyze(path, analyzer.Options{MaxCopies: maxCopies})
		found <- p
		failed <- err
	}()
	written := false
	err = createAll(to, at, make([]io.Writer, len(tables)), len(tables), func(out []io.Writer) error {
		err := t.Write(out, f.Reader, name, digest, func() (*profile.Profile, error) { return <-found, <-failed })
		if err != nil {
			return err
		}
		written = true
		return to.Remove(at(tables[traces])) // so that what is being replaced is not taken for whole
	})
	if err != nil && written { // some tables have got their names
		for _, table := range tables {
			err = errors.Join(err, to.Remove(at(table)))
		}
	}
	return f.Reader, err
}

// Write writes the tables of a trace, which it reads to its end. Its copies are asked
// for when it has.
func (t Format) Write(
	out []io.Writer, r *tracefile.Reader, name, digest string, analysis func() (*profile.Profile, error),
) error {
	f := newFiller(name, r.Header())
	sheets, err := t.sheets(out, f)
	if err != nil {
		return err
	}
	events, err := fill(r, sheets)
	p, failed := analysis() // also after an error: it runs on otherwise
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	for _, s := range sheets {
		if err := s.Close(); err != nil {
			return err
		}
	}
	if err := write(t, out[copies], f.copies(p)); err != nil {
		return err
	}
	if err := write(t, out[causes], f.causes(p)); err != nil {
		return err
	}
	if err := write(t, out[amounts], f.amounts(p)); err != nil {
		return err
	}
	return write(t, out[traces], []traceRow{f.trailer(r, events, digest)})
}

// sheets begins the tables of events.
func (t Format) sheets(out []io.Writer, f *filler) (all []*sheet, err error) {
	put := func(columns []parquetColumn, of func(*trace.Batch) rowList) {
		to, failed := t.open(out[len(all)], columns)
		all, err = append(all, &sheet{rowWriter: to, of: of}), errors.Join(err, failed)
	}
	put(f.columns(reflect.TypeFor[trace.Syscall]()), func(b *trace.Batch) rowList { return listOf(b.Syscalls) })
	put(f.columns(reflect.TypeFor[trace.AsyncOp]()), func(b *trace.Batch) rowList { return listOf(b.AsyncOps) })
	put(f.columns(reflect.TypeFor[trace.Fault]()), func(b *trace.Batch) rowList { return listOf(b.Faults) })
	put(f.columns(reflect.TypeFor[trace.Request]()), func(b *trace.Batch) rowList { return listOf(b.Requests) })
	put(parquetColumns(reflect.TypeFor[pieceRow]()), func(b *trace.Batch) rowList { return listOf(f.pieces(b)) })
	put(f.columns(reflect.TypeFor[trace.Wait]()), func(b *trace.Batch) rowList { return listOf(b.Waits) })
	put(f.columns(reflect.TypeFor[trace.Process]()), func(b *trace.Batch) rowList { return listOf(b.Processes) })
	put(f.columns(reflect.TypeFor[trace.File]()), func(b *trace.Batch) rowList { return listOf(b.Files) })
	put(f.columns(reflect.TypeFor[trace.Device]()), func(b *trace.Batch) rowList { return listOf(b.Devices) })
	put(f.columns(reflect.TypeFor[trace.Lost]()), func(b *trace.Batch) rowList { return listOf(b.Lost) })
	put(f.columns(reflect.TypeFor[trace.RPC]()), func(b *trace.Batch) rowList { return listOf(b.RPCs) })
	return all, err
}

// fill reads a trace to its end. While a batch is added to the tables, the next one
// is decoded.
func fill(r *tracefile.Reader, sheets []*sheet) (events int64, err error) {
	var batches [2]trace.Batch
	adding := make(chan error, 1)
	adding <- nil
	for n := 0; ; n++ {
		b := &batches[n%2]
		failed := r.Next(b)
		if err := <-adding; err != nil {
			return events, err
		}
		if errors.Is(failed, io.EOF) {
			return events, nil
		} else if failed != nil {
			return events, failed
		}
		events += int64(b.Len())
		go func() { adding <- add(sheets, b) }()
	}
}

// add adds a batch to all tables at once.
func add(sheets []*sheet, b *trace.Batch) error {
	failed := make([]error, len(sheets))
	var all sync.WaitGroup
	for i, s := range sheets {
		all.Go(func() { failed[i] = s.add(b) })
	}
	all.Wait()
	return errors.Join(failed...)
}

// createAll creates the files of the first n tables, each within the one behind it: they
// get their names when all of them are written, the table of traces last.
func createAll(
	to output.Destination, at func(table string) string, out []io.Writer, n int, write func([]io.Writer) error,
) error {
	if n == 0 {
		return write(out)
	}
	var within error // which names its own file, so those around it need not be named
	err := to.Write(at(tables[n-1]), true, func(w *bufio.Writer) error {
		out[n-1] = w
		within = createAll(to, at, out, n-1, write)
		return within
	})
	return cmp.Or(within, err)
}

// place says where in the directory the file of a table belongs. A host or a date that is not known is "unknown".
// Hive's name for it would be read as NULL, which no join by host, date and trace finds: rows would be missing without
// a word. A made-up date would pass for a true one.
func (t Format) place(name string, h trace.Header) func(table string) string {
	host, date := unknown, unknown
	if h.Host != "" {
		host = strings.ReplaceAll(url.QueryEscape(h.Host), "+", "%20")
	}
	if !h.WallStart.IsZero() {
		date = h.WallStart.UTC().Format(time.DateOnly)
	}
	return func(table string) string { return filepath.Join(table, "host="+host, "date="+date, name+"."+string(t)) }
}
