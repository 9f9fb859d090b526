//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/iotrace/iotrace/internal/unit"
)

// answer is what an engine took for all questions.
type answer struct {
	engine  string
	workers int
	all     time.Duration // start of the engine included
	memory  int64
	seconds map[string]float64 // by question
	titles  []string
	rows    map[string][][]any
}

var spent = regexp.MustCompile(`(?m)^ *([0-9.]+) s  (.*)$`)

// ask has the engines answer with one worker and with as many as there are processors. What was answered before one
// of them failed is written all the same.
func ask(w *strings.Builder, tables string, engines []string) error {
	var all []answer
	var failed error
	for _, engine := range engines {
		for _, workers := range []int{1, runtime.NumCPU()} {
			a, err := askOne(tables, engine, workers)
			if err == nil && len(all) > 0 {
				err = same(all[0], a)
			}
			if err != nil {
				failed = errors.Join(failed, fmt.Errorf("%s with %d workers: %w", engine, workers, err))
				continue
			}
			fmt.Fprintf(os.Stderr, "%s with %d workers: %.0f s, %s\n", engine, workers, a.all.Seconds(), unit.Bytes(a.memory))
			all = append(all, a)
		}
	}
	if len(all) > 0 {
		tabulate(w, all)
	}
	return failed
}

// tabulate writes what each question took each engine.
func tabulate(w *strings.Builder, all []answer) {
	w.WriteString("\nSeconds; memory is the most that the engine's processes had at once, looked at every 100 ms.\n\n| |")
	row := func(title string, of func(answer) string) {
		fmt.Fprintf(w, "\n| %s |", title)
		for _, a := range all {
			fmt.Fprintf(w, " %s |", of(a))
		}
	}
	for _, a := range all {
		fmt.Fprintf(w, " %s, %d workers |", a.engine, a.workers)
	}
	w.WriteString("\n|---|" + strings.Repeat("---|", len(all)))
	for _, title := range all[0].titles {
		row(title, func(a answer) string { return fmt.Sprintf("%.2f", a.seconds[title]) })
	}
	row("all, with the start", func(a answer) string { return fmt.Sprintf("%.1f", a.all.Seconds()) })
	row("memory", func(a answer) string { return unit.Bytes(a.memory) })
	w.WriteString("\n\nAll of them gave the same answers.\n")
}

// same says where two engines found something else. sql.py rounds to nine digits: sums depend on their order.
func same(a, b answer) error {
	for _, title := range a.titles {
		if len(a.rows[title]) != len(b.rows[title]) {
			return fmt.Errorf("%s: %s has %d rows and %s %d", title,
				a.engine, len(a.rows[title]), b.engine, len(b.rows[title]))
		}
		for i, row := range a.rows[title] {
			if fmt.Sprint(row) != fmt.Sprint(b.rows[title][i]) {
				return fmt.Errorf("%s: %s has %v and %s %v", title, a.engine, row, b.engine, b.rows[title][i])
			}
		}
	}
	return nil
}

func askOne(tables, engine string, workers int) (a answer, err error) {
	environment := "iotrace-test-engines"
	if engine == "duckdb" {
		environment = "iotrace-test-python"
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return a, err
	}
	c := exec.Command(filepath.Join(cache, environment, "bin/python3"), "convert/tables/testdata/sql.py", "docs/sql.md",
		tables, engine, strconv.Itoa(workers))
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var out, said bytes.Buffer
	c.Stdout, c.Stderr = &out, &said
	began := time.Now()
	if err := c.Start(); err != nil {
		return a, err
	}
	done := make(chan error, 1)
	go func() { done <- c.Wait() }()
	a = answer{engine: engine, workers: workers, seconds: map[string]float64{}}
	for ended := false; !ended; {
		select {
		case err = <-done:
			ended = true
		case <-time.After(100 * time.Millisecond):
			a.memory = max(a.memory, resident(c.Process.Pid))
		}
	}
	a.all = time.Since(began)
	if err == nil {
		err = json.Unmarshal(out.Bytes(), &a.rows)
	}
	if err != nil {
		return a, fmt.Errorf("%w\n%s", err, said.String())
	}
	for _, m := range spent.FindAllStringSubmatch(strings.ReplaceAll(said.String(), "\r", "\n"), -1) {
		a.titles = append(a.titles, m[2])
		a.seconds[m[2]], _ = strconv.ParseFloat(m[1], 64)
	}
	return a, nil
}

// resident is the memory of the processes of a group.
func resident(group int) (bytes int64) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		text, _ := os.ReadFile(path) // none if it has ended meanwhile
		_, rest, _ := strings.Cut(string(text), ") ")
		fields := strings.Fields(rest)
		if len(fields) > 21 && fields[2] == strconv.Itoa(group) {
			pages, _ := strconv.ParseInt(fields[21], 10, 64)
			bytes += pages * int64(os.Getpagesize())
		}
	}
	return bytes
}
