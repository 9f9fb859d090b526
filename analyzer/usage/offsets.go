package usage

import "github.com/iotrace/iotrace/analyzer/world"

// The blocks of file systems, and of drives, have 4 KiB, which are eight sectors.
const blockSectors = 8

// offsets count the requests of a device that are of whole blocks by the sector of a block that they begin at. Those of
// a file system with such blocks all begin at the same one: the first, if its partition begins with a block.
type offsets struct {
	at  [blockSectors]int64
	all int64
}

func (o *offsets) add(e *world.Request) {
	o.all++
	if e.Bytes%(blockSectors<<9) == 0 {
		o.at[e.Sector%blockSectors]++
	}
}

// shifted is how far behind the beginning of a block each request begins, in bytes; 0 if they do not. Of fewer than
// there are places, all may have one in common by chance.
func (o *offsets) shifted() int64 {
	if o.all < blockSectors {
		return 0
	}
	for i := range o.at {
		if o.at[i] == o.all {
			return int64(i) << 9
		}
	}
	return 0
}
