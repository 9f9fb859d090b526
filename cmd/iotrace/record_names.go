package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/iotrace/iotrace/tracer"
)

const traceSuffix = ".iotrace"

// traceFileName is that of a trace that nobody has named: COMMAND-DATE-TIME.iotrace.
func traceFileName(command []string, scope tracer.Scope, now time.Time) string {
	subject := strings.TrimLeft(strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) || r <= ' ' || r == 0x7f {
			return '_'
		}
		return r
	}, traceSubject(command, scope)), ".-")
	return fmt.Sprintf("%s-%s%s", subject, now.Format("20060102-150405"), traceSuffix)
}

func traceSubject(command []string, scope tracer.Scope) string {
	switch {
	case len(command) > 0:
		return filepath.Base(command[0])
	case scope.All && len(scope.Only.Devices) > 0:
		return scope.Only.Devices[0].Name
	case scope.All:
	case len(scope.Users) > 0:
		return scope.Users[0].Name
	case len(scope.Groups) > 0:
		return cmp.Or(scope.Groups[0].Name, filepath.Base(scope.Groups[0].Path))
	case len(scope.Names) > 0:
		return scope.Names[0]
	case len(scope.PIDs) > 0:
		return fmt.Sprintf("pid%d", scope.PIDs[0])
	}
	return "system"
}

// traceNames are those of the traces of a number of runs: with one it is output itself, with more they are numbered so
// that the order of the names is that of the runs.
func traceNames(output string, runs int) []string {
	if runs == 1 {
		return []string{output}
	}
	base, isTrace := strings.CutSuffix(output, traceSuffix)
	digits := len(fmt.Sprint(runs))
	names := make([]string, runs)
	for i := range names {
		names[i] = fmt.Sprintf("%s-%0*d", base, digits, i+1)
		if isTrace {
			names[i] += traceSuffix
		}
	}
	return names
}

// vacant makes sure that no file is in the way of the last run, before the first. One run alone says it by itself.
func vacant(names []string, replace bool) error {
	if replace || len(names) == 1 {
		return nil
	}
	for _, name := range names {
		if _, err := os.Lstat(name); err == nil {
			return fmt.Errorf("creating trace: open %s: %w (choose another name, or replace it with -f)", name, os.ErrExist)
		}
	}
	return nil
}

// tracePattern is what a shell takes for the names, of those that were made.
func tracePattern(names []string) string {
	if len(names) == 1 {
		return quoted(names[0])
	}
	first, last := names[0], names[len(names)-1]
	base, isTrace := strings.CutSuffix(first, traceSuffix)
	cut := strings.LastIndexByte(base, '-') + 1
	pattern := quoted(base[:cut])
	if digits := len(base) - cut; digits == 1 {
		pattern += "[1-" + last[cut:cut+1] + "]"
	} else {
		pattern += strings.Repeat("[0-9]", digits)
	}
	if isTrace {
		pattern += traceSuffix
	}
	return pattern
}

// quoted is a name as a shell takes it for itself.
func quoted(name string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+:,@%", r)
	}
	if strings.IndexFunc(name, func(r rune) bool { return !plain(r) }) < 0 {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}
