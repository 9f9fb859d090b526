package program

// Warm reports whether data that was read was in memory: a fifth of it at most came in meanwhile.
func Warm(filled, read int64) bool { return read > 0 && 5*filled < read }

// Random reports whether accesses jump: a fifth of them at most began where the one before ended.
func Random(following, accesses int64) bool { return accesses > 0 && 5*following < accesses }

// Position is where the last access to a file ended. The zero value is that of a file that was not used yet.
type Position struct {
	end  int64
	used bool
}

// Move goes to the end of an access and says where it began. An offset that is not known is taken to be the position,
// which only moves on.
func (p *Position) Move(offset, bytes int64) (at int64, follows, first bool) {
	if at = offset; at < 0 {
		at = p.end
	}
	follows, first = p.used && at == p.end, !p.used
	p.end, p.used = at+bytes, true
	return at, follows, first
}

// Apart is how far behind the position an access would begin, or before it if negative; false if there was none yet.
func (p *Position) Apart(offset int64) (bytes int64, known bool) { return offset - p.end, p.used }
