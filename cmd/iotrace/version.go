package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set when a release is built (-X main.version).
var version string

func newVersionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		RunE: func(*cobra.Command, []string) error {
			_, err := io.WriteString(a.Out, versionText())
			return err
		},
	}
}

// versionText is what version and --version print.
func versionText() string {
	return fmt.Sprintf("iotrace %s (%s %s/%s)\n", versionName(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// versionName is the release, else what go install knows.
func versionName() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "dev"
}

// tool is what a trace or a result says it was made by.
func tool() string { return "iotrace " + versionName() }
