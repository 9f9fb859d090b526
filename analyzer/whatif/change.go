package whatif

import (
	"github.com/iotrace/iotrace/analyzer/program"
	"github.com/iotrace/iotrace/analyzer/whatif/drive"
)

// Change is what is different from the recording. The zero value changes nothing.
type Change struct {
	program.Change              // of the program
	Device         string       // whose model changes; "" for all
	Latency        float64      // of the drive, as a factor; 0 for 1
	Bandwidth      float64      // of the drive, as a factor; 0 for 1
	Each           float64      // ns that each read and write takes, instead of what it took; 0 for that
	Rate           float64      // bytes per ns that the drive carries, instead of what it did; 0 for that
	Drive          *drive.Model // another drive instead of the recorded ones
	CPU            float64      // how much faster the processor is; 0 for 1
	Warm           bool         // everything that was read is in memory already
	asSeen         bool         // drives carry no more than they were seen to
}

func factor(f float64) float64 {
	if f == 0 {
		return 1
	}
	return f
}

// about reports whether a device is one that changes.
func (c *Change) about(d *drive.Device) bool { return c.Device == "" || c.Device == d.Name }

// otherDrive reports whether requests take another time than they did.
func (c *Change) otherDrive() bool {
	return c.Latency != 0 || c.Bandwidth != 0 || c.Each != 0 || c.Rate != 0 || c.Drive != nil
}

// model is what becomes of a recorded drive.
func (c *Change) model(d *drive.Device) drive.Model {
	m := d.Model
	if c.asSeen {
		m = d.AsSeen(m)
	}
	if !c.about(d) {
		return m
	}
	if c.Drive != nil {
		m = *c.Drive
	}
	if c.Each > 0 {
		m.SetLatency(c.Each)
	}
	if c.Rate > 0 {
		m.SetRate(c.Rate)
	}
	m.Scale(factor(c.Latency), factor(c.Bandwidth))
	return m
}
