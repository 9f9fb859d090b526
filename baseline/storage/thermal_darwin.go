package storage

import "github.com/iotrace/iotrace/baseline"

// ReadThermal: macOS tells the temperature of a drive only through IOKit.
func ReadThermal(Volume) *baseline.Thermal { return nil }
