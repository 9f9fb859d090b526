package measure

// maxPlaces is in how many places of a file accesses are followed that go on there by turns.
const maxPlaces = 4

// turns counts accesses that go on in another place than the one before, where an earlier one was. Unlike a stream, a
// place goes on with an access that begins within the one before there: who jumps away and comes back may have to read
// the rest of a buffer again.
type turns struct {
	from, end [maxPlaces]int64
	used      int // of these
	last      int // the place of the access before
	oldest    int // the place that is given up next
	count     int64
}

func (t *turns) add(at, n int64) {
	for i := range t.used {
		if at > t.from[i] && at <= t.end[i] {
			if i != t.last {
				t.count++
			}
			t.goOn(i, at, n)
			return
		}
	}
	i := t.used
	if i < maxPlaces {
		t.used++
	} else {
		i = t.oldest
		t.oldest = (t.oldest + 1) % maxPlaces
	}
	t.goOn(i, at, n)
}

// goOn has a place go on with an access.
func (t *turns) goOn(i int, at, n int64) { t.from[i], t.end[i], t.last = at, at+n, i }
