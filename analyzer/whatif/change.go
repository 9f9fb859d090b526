package whatif

import "math"

// Change is what is different from the recording. The zero value changes nothing.
type Change struct {
	Device    string  // whose model changes; "" for all
	Latency   float64 // of the drive, as a factor; 0 for 1
	Bandwidth float64 // of the drive, as a factor; 0 for 1
	Each      float64 // ns that each read and write takes, instead of what it took; 0 for that
	Rate      float64 // bytes per ns that the drive carries, instead of what it did; 0 for that
	Drive     *Model  // another drive instead of the recorded ones
	Depth     int     // requests that each thread keeps in flight; 0 as recorded
	Block     int64   // bytes that each direct call moves at least, where it can; 0 as recorded
	ReadAhead int64   // bytes that are asked for ahead of a reader; 0 as recorded
	CPU       float64 // how much faster the processor is; 0 for 1
	NoThink   bool    // without the pauses of the program
	NoSync    bool    // without waiting for data to be durable
	Warm      bool    // everything that was read is in memory already
}

func factor(f float64) float64 {
	if f == 0 {
		return 1
	}
	return f
}

// about reports whether a device is one that changes.
func (c *Change) about(d *device) bool { return c.Device == "" || c.Device == d.name }

// otherDrive reports whether requests take another time than they did.
func (c *Change) otherDrive() bool {
	return c.Latency != 0 || c.Bandwidth != 0 || c.Each != 0 || c.Rate != 0 || c.Drive != nil
}

// model is what becomes of a recorded drive.
func (c *Change) model(d *device) Model {
	m := d.model
	if !c.about(d) {
		return m
	}
	if c.Drive != nil {
		m = *c.Drive
	}
	for i := range m.Latency {
		if c.Each > 0 && service(i) != flush {
			m.Latency[i] = c.Each
		}
		m.Latency[i] *= factor(c.Latency)
	}
	for i := range m.Rate {
		if c.Rate > 0 {
			m.Rate[i] = c.Rate
		}
		m.Rate[i] *= factor(c.Bandwidth)
	}
	return m
}

// late is what of a request's deviation from the recorded model remains under
// another one: as much as its time without company becomes longer or shorter.
func late(r *request, was, now *Model) float64 {
	deviation := float64(r.completed - r.queued - r.recorded)
	before, after := was.alone(r.service, r.bytes), now.alone(r.service, r.bytes)
	if before <= 0 || math.IsNaN(after/before) {
		return deviation
	}
	return deviation * after / before
}
