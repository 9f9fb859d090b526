package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/iotrace/iotrace/trace/tracefile"
)

// version and commit are set when a release is built (-X, see the Makefile).
var version, commit string

// VersionText is what version and --version print.
func VersionText() string {
	return fmt.Sprintf("iotrace %s\ncommit %s\n%s %s/%s\ntrace format %d: reads up to it, writes it\n", Version(),
		Commit(),
		runtime.Version(), runtime.GOOS, runtime.GOARCH, tracefile.FormatVersion)
}

// Version is the release, else what go install knows.
func Version() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "dev"
}

// Commit is what a release was built from, else what Go knows of the source.
func Commit() string {
	if commit != "" {
		return commit
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return s.Value
			}
		}
	}
	return "not known"
}

// Tool is what a trace or a result says it was made by.
func Tool() string { return "iotrace " + Version() }
