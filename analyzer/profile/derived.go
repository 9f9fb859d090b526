package profile

// Derive fills in what follows from other numbers of the profile, and is said in its own right.
func (p *Profile) Derive() {
	flow := func(list ...*Flow) {
		for _, f := range list {
			if f != nil && f.Depth.BusyNS > 0 {
				f.Depth.BusyShare = float64(f.Depth.BusyNS) / float64(max(p.TimeStack.TotalNS, 1))
				f.Depth.BytesPerS = int64(float64(f.Bytes) / float64(f.Depth.BusyNS) * 1e9)
			}
		}
	}
	for i := range p.Layers {
		flow(p.Layers[i].Read, p.Layers[i].Write)
	}
	for i := range p.Devices {
		flow(p.Devices[i].Read, p.Devices[i].Write)
	}
	for i := range p.Files {
		x := &p.Files[i]
		flow(x.Read, x.Write, x.DeviceRead, x.DeviceWrite)
	}
	for i := range p.Copies {
		c := &p.Copies[i]
		flow(c.Read, c.Write, c.DeviceRead, c.DeviceWrite)
		c.CallsPerS = c.IOPS()
	}
}
