package formats

// This file lists the formats that can be written.

import (
	"bufio"
	"errors"
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/convert/block"
	"github.com/iotrace/iotrace/convert/fio"
	"github.com/iotrace/iotrace/convert/jsonl"
	"github.com/iotrace/iotrace/convert/perfetto"
	"github.com/iotrace/iotrace/convert/tables"
	"github.com/iotrace/iotrace/internal/output"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// Exporter writes a trace in the format of another tool.
type Exporter struct {
	To     string // the format, as --to takes it
	About  string // one line: what reads it
	Suffix string // of its files
	// Export reads a trace to its end.
	Export func(r *tracefile.Reader, w *bufio.Writer) error
	// Folder is there in place of Export for a format of several files: it adds the trace
	// at path to a directory, where it is called name, and returns what it has read it
	// with; ErrPresent if it is there already.
	Folder func(path, name string, to output.Destination) (*tracefile.Reader, error)
}

// Takes refuses inputs and an output, by their names, that do not go with the format; - stands for a stream.
func (e *Exporter) Takes(inputs []string, output string) error {
	switch {
	case len(inputs) == 0:
		return errors.New("want the trace file to read")
	case e.Folder != nil && (slices.Contains(inputs, "-") || output == "-"):
		return fmt.Errorf("%s is a directory made of files: - cannot stand for either", e.To)
	case e.Folder != nil && len(inputs) > 1 && output == "":
		return fmt.Errorf("want -o DIR for %d traces", len(inputs))
	case e.Folder == nil && len(inputs) > 1:
		return fmt.Errorf("want one trace for %s, got %d", e.To, len(inputs))
	case output == "" && inputs[0] == "-":
		return errors.New("want -o FILE for what is read from standard input")
	}
	return nil
}

// Exporters are the formats, in the order in which help shows them.
var Exporters = []*Exporter{&Perfetto, &JSONLines, &Parquet, &CSV, &FioLog, &FioJob, &Blkparse}

// Dropped are formats that versions before 0.9 wrote, with those that serve their readers.
var Dropped = map[string]string{"chrome": Perfetto.To, "arrow": Parquet.To}

// Perfetto writes what ui.perfetto.dev shows: events, files, counters and flows.
var Perfetto = Exporter{
	To:     "perfetto",
	About:  "Perfetto's own format, for ui.perfetto.dev and its trace processor (SQL)",
	Suffix: ".pftrace",
	Export: perfetto.Export,
}

// FioLog writes what fio replays.
var FioLog = Exporter{
	To:     "fio-iolog",
	About:  "a directory with the data operations for fio to replay\n(read_iolog; 3.31 or later)",
	Suffix: "-fio",
	Folder: fio.ExportLog,
}

// FioJob writes a job that is like the trace.
var FioJob = Exporter{
	To:     "fio-job",
	About:  "a fio job with the same sizes, mix, order, depth and pauses,\nas shares and means",
	Suffix: "-fio",
	Folder: fio.ExportJob,
}

// Blkparse writes requests as blktrace's own reader prints them.
var Blkparse = Exporter{
	To:     "blkparse",
	About:  "a directory with the requests as blkparse prints them;\niotrace import reads them again",
	Suffix: "-blkparse",
	Folder: block.ExportBlkparse,
}

// JSONLines writes a trace that other programs read, and that import reads again.
var JSONLines = Exporter{
	To:     "jsonl",
	About:  "lines of JSON, one for each event; iotrace import reads them again",
	Suffix: ".jsonl",
	Export: jsonl.Export,
}

// Parquet writes tables for databases.
var Parquet = Exporter{
	To:     "parquet",
	About:  "tables for DuckDB, Spark, pandas and others: a directory for all traces",
	Suffix: "-parquet",
	Folder: tables.Parquet.Export,
}

// CSV writes the same tables as text.
var CSV = Exporter{
	To:     "csv",
	About:  "the same tables as comma-separated values, for spreadsheets",
	Suffix: "-csv",
	Folder: tables.CSV.Export,
}
