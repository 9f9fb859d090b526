//go:build linux

package main

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/convert/conversion"
	"github.com/iotrace/iotrace/convert/tables"

	"github.com/iotrace/iotrace/internal/output"

	"github.com/iotrace/iotrace/internal/unit"
)

// benchFleet measures what questions in SQL to the traces of many hosts cost. It makes traces of hosts that do not
// exist from the recordings in testdata, exports them, and has engines answer docs/sql.md.
func benchFleet() error {
	hosts := flag.Int("hosts", 1000, "how many hosts")
	rows := flag.Int64("rows", 100_000_000, "events of all of them, at least")
	dir := flag.String("dir", "", "for traces and tables, which are removed in the end (default: in /var/tmp)")
	page := flag.String("o", "docs/performance-sql.md", "the page to write")
	engines := flag.String("engines", "duckdb,clickhouse,spark,spark-cluster", "which to ask")
	flag.Parse()
	return fleetRun(*hosts, *rows, *dir, *page, strings.Split(*engines, ","))
}

func fleetRun(hosts int, rows int64, parent, page string, engines []string) error {
	if parent == "" {
		parent = "/var/tmp"
	}
	dir, err := os.MkdirTemp(parent, "iotrace-fleet-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	began := time.Now()
	paths, events, err := generate(dir, hosts, rows)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%d traces, %d events, %.0f s\n", len(paths), events, time.Since(began).Seconds())
	began = time.Now()
	if err := export(paths, filepath.Join(dir, "tables")); err != nil {
		return err
	}
	var text strings.Builder
	describe(&text, dir, len(paths), events, time.Since(began))
	fmt.Fprint(os.Stderr, text.String())
	failed := ask(&text, filepath.Join(dir, "tables"), engines)
	return errors.Join(failed, os.WriteFile(page, []byte(text.String()), 0o644))
}

// generate makes the traces of a fleet, with at least so many events. Short recordings are repeated more often.
func generate(dir string, hosts int, rows int64) (paths []string, events int64, err error) {
	names, err := filepath.Glob("testdata/*.iotrace")
	if err != nil || len(names) == 0 {
		return nil, 0, fmt.Errorf("no recordings in testdata (run it in the top directory): %w", err)
	}
	var all []*recording
	for _, name := range names {
		r, err := readRecording(name)
		if err != nil {
			return nil, 0, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, r)
	}
	each := float64(rows) / float64(hosts)
	for n := range hosts {
		from := all[n/3%len(all)] // each with every model of drives
		h := newHost(n, int(math.Ceil(each/float64(from.events))))
		if err := h.write(dir, from); err != nil {
			return nil, 0, err
		}
		paths = append(paths, filepath.Join(dir, h.name()+".iotrace"))
		events += from.told + from.events*int64(h.repeat)
	}
	return paths, events, nil
}

func export(paths []string, dir string) error {
	to := output.NewTree(dir, nil, nil)
	defer to.Close()
	r := conversion.Run{
		Folder: tables.Parquet.Export,
		Of:     (&conversion.Choice{}).Of,
		To:     output.Destination{Files: to},
	}
	return r.All(paths)
}

// describe says what was measured, and where.
func describe(w *strings.Builder, dir string, traces int, events int64, exporting time.Duration) {
	var u unix.Utsname
	_ = unix.Uname(&u)
	var usage unix.Rusage
	_ = unix.Getrusage(unix.RUSAGE_SELF, &usage)
	total, _ := Meminfo("MemTotal")
	fmt.Fprintf(w, "# Questions to many traces: what they cost\n\nWritten by `make bench-sql` on %s: Linux %s, %s, "+
		"%d CPUs, %s of memory. The machine is shared: other work ran beside it, so times are upper bounds.\n\n",
		time.Now().UTC().Format(time.DateOnly), unix.ByteSliceToString(u.Release[:]), CPU(), runtime.NumCPU(),
		unit.Bytes(total))
	fmt.Fprintf(w, "The traces are of %d hosts that do not exist, made of the recordings in testdata. Each repeats one "+
		"of them, on a drive of one of three models and two firmwares, faster or slower. Every 97th host is eight times "+
		"as slow as the others.\n\n", traces)
	fmt.Fprintf(w, "| events | traces | tables | export | memory of making and exporting them |\n|---|---|---|---|---|\n"+
		"| %d | %s | %s | %.0f s | %s |\n", events, unit.Bytes(size(dir, ".iotrace")),
		unit.Bytes(size(dir, ".parquet")), exporting.Seconds(), unit.Bytes(usage.Maxrss<<10))
}

// size is that of all files with an ending.
func size(dir, ending string) (sum int64) {
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ending) {
			if st, err := d.Info(); err == nil {
				sum += st.Size()
			}
		}
		return err
	})
	return sum
}
