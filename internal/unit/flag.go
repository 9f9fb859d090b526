package unit

import "time"

// SizeFlag is a flag that takes an amount of data: 64MiB, 4k.
type SizeFlag int64

// String is empty for 0, which stands for what the usage calls the default.
func (f *SizeFlag) String() string {
	if *f == 0 {
		return ""
	}
	return BlockSize(int64(*f))
}

// Type is how the usage names the value.
func (f *SizeFlag) Type() string { return "SIZE" }

// Set reads a value.
func (f *SizeFlag) Set(s string) error {
	n, err := ParseBytes(s)
	*f = SizeFlag(n)
	return err
}

// DurationFlag is a flag that takes a time: 30, 250ms, 1m30s.
type DurationFlag time.Duration

// String is empty for 0, as that of a size.
func (f *DurationFlag) String() string {
	if *f == 0 {
		return ""
	}
	return time.Duration(*f).String()
}

// Type is how the usage names the value.
func (f *DurationFlag) Type() string { return "TIME" }

// Set reads a value.
func (f *DurationFlag) Set(s string) error {
	d, err := ParseDuration(s)
	*f = DurationFlag(d)
	return err
}
