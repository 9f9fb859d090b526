//go:build !linux

package tracer

import "fmt"

// FindDisk finds no device: only Linux tells which file systems lie on one.
func FindDisk(name string) (Disk, error) {
	return Disk{}, fmt.Errorf("device %s: %w: devices are selected on Linux alone", name, ErrUnsupported)
}
