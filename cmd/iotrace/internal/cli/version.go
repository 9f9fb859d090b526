package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version is set when a release is built (-X, see the Makefile).
var version string

// VersionText is what version and --version print.
func VersionText() string {
	return fmt.Sprintf("iotrace %s (%s %s/%s)\n", Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
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

// Tool is what a trace or a result says it was made by.
func Tool() string { return "iotrace " + Version() }
