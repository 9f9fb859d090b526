package main

import (
	"github.com/spf13/pflag"

	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/convert/conversion"
)

// anonymizing adds the flags by which names are left out.
func anonymizing(f *pflag.FlagSet, c *conversion.Choice) {
	c.As = cli.Caller
	f.BoolVar(&c.Anonymize, "anonymize", false, "put made-up names in the place of real ones, and leave command lines out")
	f.StringVar(&c.KeyFile, "key", "", "keep in `FILE` what makes those names, for the next time (default: nowhere)")
}
