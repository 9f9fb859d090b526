package storage

import "github.com/iotrace/iotrace/baseline"

// Volume is a place with the counters of its device.
type Volume struct {
	baseline.Place
	stat string // file with the counters, "" if there are none
}

// counters are those of /sys/block/*/stat (Documentation/block/stat.rst).
type counters struct {
	reads, readSectors, readMS    int64
	writes, writeSectors, writeMS int64
	ok                            bool
}

// Measure reads the counters of the device. The function that it returns reads them again and says what the device did
// in between, of which the work took active ns; nil if there are no counters.
func (p Volume) Measure() func(active int64) *baseline.DeviceUse {
	from := p.read()
	return func(active int64) *baseline.DeviceUse { return p.use(from, p.read(), active) }
}

// use is the difference of two readings, active ns of work apart.
func (p Volume) use(from, to counters, active int64) *baseline.DeviceUse {
	if !from.ok || !to.ok {
		return nil
	}
	u := &baseline.DeviceUse{
		Device: p.Device,
		Reads:  to.reads - from.reads, ReadBytes: (to.readSectors - from.readSectors) * 512,
		Writes: to.writes - from.writes, WriteBytes: (to.writeSectors - from.writeSectors) * 512,
	}
	ms := to.readMS - from.readMS + to.writeMS - from.writeMS
	if n := u.Reads + u.Writes; n > 0 {
		u.MeanRequest = (u.ReadBytes + u.WriteBytes) / n
		u.MeanServiced = ms * 1e6 / n
	}
	if active > 0 {
		u.MeanDepth = float64(ms) * 1e6 / float64(active)
	}
	return u
}
