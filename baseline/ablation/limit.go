package ablation

import "github.com/iotrace/iotrace/internal/clock"

// cutShort reports whether a part of the payload is the same work for each byte as all of it: not where one sync ends
// it, nor where one call moves it.
func (x *cellRun) cutShort(files *cellFiles) bool {
	c := &x.cell
	if c.SyncEvery > 0 && !x.perFile() && 4*c.SyncEvery > files.sizes[0] {
		return false
	}
	return x.perFile() || !x.inKernel()
}

// over reports whether no further piece is begun.
func (x *cellRun) over() bool {
	late := x.until > 0 && clock.Now() >= x.until
	if late {
		x.part.Store(true)
	}
	return late || x.stop.Load()
}
