package usage

// mostPacked is how much of a file is compressed together at most, by btrfs.
const mostPacked = 128 << 10

// extents are compressed reads of a file at one device. Where a request begins is the first page that was wanted: what
// else the device had to read to unpack it, and how much of the file that is, no request tells. So it is kept how
// much was read for each stretch of a file that may be compressed together.
type extents map[int64]int64 // bytes read, by number of the stretch

// unpacked is what was read compressed, by what calls wanted of the stretch: to read or only to write a part of it, or
// nothing.
type unpacked struct{ wanted, written, unwanted int64 }

func (x extents) divided(pages *pages, file int) (u unpacked) {
	for i, bytes := range x {
		asked, wrote, from := uint64(0), uint64(0), i*mostPacked
		pages.each(file, from, from+mostPacked, func(c *chunk, index int64) {
			mask := span(index, from, from+mostPacked, true)
			asked |= c.asked & mask
			wrote |= c.wrote & mask
		})
		switch {
		case asked != 0:
			u.wanted += bytes
		case wrote != 0:
			u.written += bytes
		default:
			u.unwanted += bytes
		}
	}
	return u
}
