package whatif

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/analyzer/whatif/drive"

	"github.com/iotrace/iotrace/internal/visible"
)

// Recording is the part of a trace that a prediction is made from.
type Recording struct {
	program   *Program
	devices   []*drive.Device // of the program
	followers followers
}

// Load reads the trace at path. It refuses one that says too little for a
// prediction, with the reason.
func Load(path string) (*Recording, error) {
	p, err := loadSchedule(path)
	if err != nil {
		return nil, err
	}
	return newRecording(p), nil
}

// LoadSurveyed is Load of a trace that was read once already.
func LoadSurveyed(path string, s *survey.Survey) (*Recording, error) {
	p, err := loadSurveyedSchedule(path, s)
	if err != nil {
		return nil, err
	}
	return newRecording(p), nil
}

func newRecording(p *Program) *Recording {
	return &Recording{program: p, devices: newDevices(p), followers: newFollowers(p)}
}

// Recorded is what the workload took.
func (r *Recording) Recorded() Prediction {
	w := &r.program.Window
	return Prediction{Wall: w.Wall - w.Start, Durable: w.End - w.Start}
}

// Devices are the names of the devices that requests went to.
func (r *Recording) Devices() []string {
	var list []string
	for _, d := range r.devices {
		if d.Requests > 0 {
			list = append(list, d.Name)
		}
	}
	slices.Sort(list)
	return list
}

// Model is what the requests to a device tell of it, false if there were none.
func (r *Recording) Model(device string) (drive.Model, bool) {
	for _, d := range r.devices {
		if d.Name == device {
			return d.Model, true
		}
	}
	return drive.Model{}, false
}

// Waited is how long threads waited for the drive in all, in ns.
func (r *Recording) Waited() int64 { return r.program.Waited }

// Command is what was recorded, as a shell would need it.
func (r *Recording) Command() string { return visible.Command(r.program.Command) }

// inFlight is the most requests that a device had in flight at once.
func (r *Recording) inFlight() int {
	most := 0
	for _, d := range r.devices {
		most = max(most, d.InFlight)
	}
	return most
}

// passing is the share of the time of requests that may be the passing of their bytes and not latency, as far as the
// recording does not tell.
func (r *Recording) passing() float64 {
	var passing, took float64
	for i := range r.program.Requests {
		x := &r.program.Requests[i]
		passing += r.devices[x.Device].Passing(&x.Request)
		took += float64(x.Completed - x.Queued)
	}
	return passing / max(took, 1)
}

const fitted = 20000 // requests that models are fitted to at most, shared by all devices

// newDevices fits a model to each of the devices of a program.
func newDevices(p *Program) []*drive.Device {
	own := make([][]*drive.Request, len(p.Devices))
	for i := range p.Requests {
		r := &p.Requests[i]
		own[r.Device] = append(own[r.Device], &r.Request)
	}
	devices := make([]*drive.Device, len(own))
	for n, d := range p.Devices {
		devices[n] = drive.NewDevice(d.Name, own[n], fitted/len(own))
		devices[n].MaxRequest = max(devices[n].MaxRequest, d.MaxRequest)
	}
	return devices
}
