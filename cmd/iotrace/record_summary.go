package main

import (
	"os"

	"github.com/iotrace/iotrace/analyzer"
	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/report/text"
	"github.com/iotrace/iotrace/tracer"
)

// summarize prints what show prints, to standard error.
func summarize(a *cli.App, result *tracer.Result) {
	info, err := os.Stat(result.Path)
	if result.Path == tracer.Stdout || err != nil || !info.Mode().IsRegular() {
		return // a stream cannot be read again
	}
	if err := showText(a.Err, result.Path); err != nil {
		a.Say("iotrace: summary: %v\n", err)
	}
	a.Say("\nTrace: %s (%s)\n", result.Path, unit.Bytes(info.Size()))
}

// summarizeRuns prints how long several runs took, and how they are compared with others.
func summarizeRuns(a *cli.App, results []*tracer.Result) {
	var all []text.Run
	var names []string
	for _, r := range results {
		p, err := analyzer.Analyze(r.Path, analyzer.Options{})
		if err != nil {
			a.Say("iotrace: summary: %v\n", err)
			return
		}
		all = append(all, text.Run{File: r.Path, Status: r.ExitCode, Profile: p})
		names = append(names, r.Path)
	}
	if err := text.PrintRuns(a.Err, all); err != nil {
		a.Warn(err)
		return
	}
	a.Say("\nOne of them:            iotrace show %s\n", tracePattern(names[:1]))
	a.Say("Against other runs:     iotrace diff %s -- OTHER.iotrace...\n", tracePattern(names))
}
