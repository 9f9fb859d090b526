package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
)

func newVersionCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long: `Version prints the version, the commit and the Go that it was built from, and the
formats of traces that it reads and writes.` + cli.More("iotrace version"),
		Example: "  iotrace version",
		RunE: func(*cobra.Command, []string) error {
			_, err := io.WriteString(a.Out, cli.VersionText())
			return err
		},
	}
}
