package storage

// Device is a block device whose content may be destroyed.
type Device struct {
	Path  string
	Place Volume
	hold  *File // opened exclusively for as long as the run lives
}

func (d *Device) Close() error { return d.hold.Close() }
