//go:build linux

package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer"
	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/compare"
	"github.com/iotrace/iotrace/analyzer/whatif"
)

// mendPair is a program beside one of its mends, and what changed between the two. No cause: nothing did, they take
// alike.
type mendPair struct {
	program, code string
	causes        []string
}

// What a mend of a kind takes away.
var (
	mendReads = []string{cause.DeviceLatency, cause.DeviceBandwidth, cause.Readahead, cause.Names, cause.ProgramStart}
	each      = []string{cause.DeviceLatency}
	notAhead  = []string{cause.Readahead, cause.DeviceLatency}
	syncs     = []string{cause.Sync, cause.Settling}
)

// pairs were chosen, and their causes written down, before the first of them was compared.
var pairs = []mendPair{
	{"cat", whatif.AllWarm, mendReads},
	{"dd-buffered", whatif.MoreReadAhead, notAhead},
	{"cp", whatif.MoreReadAhead, notAhead},
	{"sha256sum", whatif.HalfLatency, mendReads},
	{"grep", whatif.AllWarm, mendReads},
	{"launch", whatif.AllWarm, mendReads},
	{"mapping", whatif.MoreReadAhead, nil}, // it asks for none
	{"fio-random", whatif.MoreDepth, each},
	{"fio-uring", whatif.MoreDepth, each},
	{"fio-sequential", whatif.MoreDepth, each},
	{"dd-read", "block", each},
	{"dd-write", "block", each},
	{"fio-pauses", whatif.NoPauses, []string{cause.ThinkTime}},
	{"rsync", whatif.NoSyncs, syncs},
	{"dd-sync", whatif.NoSyncs, syncs},
	{"dd-dsync", whatif.NoSyncs, syncs},
	{"fio-ring-fsync", whatif.NoSyncs, syncs},
	{"rwf-dsync", whatif.NoSyncs, syncs},
	{"sqlite", whatif.NoSyncs, syncs},
	{"git", whatif.NoSyncs, syncs},
}

// diff compares each program with its mend, all recordings of both, and prints the first sentences.
func (s *mendSession) diff(dir string) error {
	right, of := 0, 0
	for _, p := range pairs {
		if !chosen(s.only, p.program) {
			continue
		}
		plain, err := recordings(dir, p.program, "plain")
		if err != nil {
			return err
		}
		mended, err := recordings(dir, p.program, p.code)
		if err != nil {
			return err
		}
		c := compare.Compare(mended, plain) // what changed for the worse
		named := ""
		if x := c.Account.Decisive(); x != nil {
			named = x.Code
		}
		ok := named == "" && p.causes == nil || slices.Contains(p.causes, named)
		of++
		if ok {
			right++
		}
		fmt.Printf("%-5t %s, %s: %s\n", ok, p.program, p.code, firstSentences(c.Account))
	}
	fmt.Printf("\n%d of %d right\n", right, of)
	return nil
}

// recordings are a side of all runs of a program in one way.
func recordings(dir, program, code string) (*compare.Side, error) {
	files, err := filepath.Glob(filepath.Join(dir, program, code+"-*.iotrace"))
	if err != nil || len(files) == 0 {
		return nil, errors.Join(err, fmt.Errorf("no recordings of %s, %s", program, code))
	}
	var all []*compare.Side
	for _, file := range files {
		p, err := analyzer.Analyze(file, analyzer.Options{Charts: true})
		if err != nil {
			return nil, fmt.Errorf("%s, %s: %w", program, code, err)
		}
		all = append(all, compare.FromProfile(file, p))
	}
	return compare.Join(all), nil
}

// firstSentences are those on time.
func firstSentences(a *compare.Account) string {
	text, _, _ := strings.Cut(a.Text, " Amounts: ")
	return text
}
