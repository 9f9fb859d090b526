package program

// Change is what a program does otherwise than it did, simulated or tried. The zero value changes nothing.
type Change struct {
	Block     int64 // bytes that each read and write moves, where it can; 0 as recorded
	Depth     int   // reads and writes that each thread keeps in flight; 0 as recorded
	ReadAhead int64 // bytes that are asked for ahead of a reader; 0 as recorded
	Direct    bool  // past the page cache, where offsets allow it; no simulation knows what that costs
	NoSync    bool  // without waiting for data to be durable
	NoThink   bool  // without its pauses
}
