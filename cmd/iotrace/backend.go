package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/formats"
	"github.com/iotrace/iotrace/tracer/backends"
)

// checkBackend reports a name that no system has. If it is a tool whose output can be imported, it says how.
func checkBackend(list backends.List, name string) error {
	if list.Knows(name) {
		return nil
	}
	i := slices.IndexFunc(formats.Importers, func(i *convert.Importer) bool { return i.From == name })
	if i < 0 {
		return fmt.Errorf("unknown backend %q (want %s)", name, strings.Join(backends.Names(), ", "))
	}
	run, _, _ := strings.Cut(strings.ReplaceAll(formats.Importers[i].About, " \\\n", " "), "\n")
	return fmt.Errorf("iotrace does not record with %s; run %q, then \"iotrace import --from %s FILE\"", name, run, name)
}
