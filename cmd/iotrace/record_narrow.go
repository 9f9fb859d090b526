package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/flight"
)

// narrowFlags say what is recorded of what processes do.
type narrowFlags struct {
	devices, files []string
}

func (o *narrowFlags) add(f *pflag.FlagSet, does string) {
	f.StringArrayVar(&o.devices, "device", nil, does+" what the device `NAME` is used for alone, and files on it")
	f.StringArrayVar(&o.files, "file", nil,
		does+" what files are used for alone whose paths match `GLOB`: '*.db', '/srv/**'")
}

// narrows reports whether something is left out.
func (o *narrowFlags) narrows() bool { return len(o.devices)+len(o.files) > 0 }

func (o *narrowFlags) check() error {
	if slices.Contains(o.devices, "") {
		return errors.New("a device cannot be empty")
	}
	for _, glob := range o.files {
		if err := tracer.CheckGlob(glob); err != nil {
			return fmt.Errorf("--file %q: %w: want a pattern such as '*.db', '/srv/*/log' or '/srv/**'", glob, err)
		}
	}
	return nil
}

// narrow finds what the flags name.
func (o *narrowFlags) narrow() (n tracer.Narrow, err error) {
	n.Files = o.files
	for _, name := range o.devices {
		d, err := tracer.FindDisk(name)
		if err != nil {
			return n, err
		}
		n.Devices = append(n.Devices, d)
	}
	return n, nil
}

// checkNarrow refuses conditions on all requests of a device where those of some files alone are recorded.
func checkNarrow(when []*flight.Condition) error {
	for _, c := range when {
		if c.OfDevice() {
			return fmt.Errorf("--when '%s' is about all requests of a device, and --file leaves some out: want a condition "+
				"on requests or calls, or --device instead", c)
		}
	}
	return nil
}
