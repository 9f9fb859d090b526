//go:build !linux

package tracer

import (
	"fmt"

	"github.com/iotrace/iotrace/trace"
)

// FindDisk finds no device: only Linux tells which file systems lie on one.
func FindDisk(name string) (Disk, error) {
	return Disk{}, fmt.Errorf("device %s: %w: devices are selected on Linux alone", name, ErrUnsupported)
}

// beneath knows on which devices files lie: no device can be selected, so nobody asks.
type beneath struct{}

func (beneath) of(e *trace.File) []trace.DeviceID { return []trace.DeviceID{e.Device} }
