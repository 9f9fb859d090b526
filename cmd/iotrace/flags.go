package main

import (
	"time"

	"github.com/iotrace/iotrace/internal/unit"
)

// sizeFlag is a flag that takes an amount of data: 64MiB, 4k.
type sizeFlag int64

// String is empty for 0, which stands for what the usage calls the default.
func (f *sizeFlag) String() string {
	if *f == 0 {
		return ""
	}
	return unit.BlockSize(int64(*f))
}

func (f *sizeFlag) Type() string { return "SIZE" }

func (f *sizeFlag) Set(s string) error {
	n, err := unit.ParseBytes(s)
	*f = sizeFlag(n)
	return err
}

// durationFlag is a flag that takes a time: 30, 250ms, 1m30s.
type durationFlag time.Duration

// String is empty for 0, as that of a size.
func (f *durationFlag) String() string {
	if *f == 0 {
		return ""
	}
	return time.Duration(*f).String()
}

func (f *durationFlag) Type() string { return "TIME" }

func (f *durationFlag) Set(s string) error {
	d, err := unit.ParseDuration(s)
	*f = durationFlag(d)
	return err
}
