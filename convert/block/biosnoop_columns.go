package block

import (
	"bytes"
	"slices"

	"github.com/iotrace/iotrace/convert"
)

// columns are the places of the columns from the right end, from 1; 0 are those that are not there.
type columns struct {
	pid, disk, kind, sector, bytes, pattern, queue, latency int
	leftmost                                                int // of those right of COMM
	bcc                                                     bool
}

// heading reads the names of the columns. Those right of COMM are counted from
// the right: a command may hold blanks.
func (b *biosnoopReader) heading(text []byte, f [][]byte) bool {
	if len(f) < 7 || string(f[0]) != "TIME(s)" || string(f[1]) != "COMM" {
		return false
	}
	// The column is wider in libbpf-tools' table, where T has further letters.
	c := columns{leftmost: len(f) - 2, bcc: bytes.Contains(text, []byte(" T SECTOR "))}
	places := map[string]*int{"PID": &c.pid, "DISK": &c.disk, "T": &c.kind, "SECTOR": &c.sector, "BYTES": &c.bytes,
		"P": &c.pattern, "QUE(ms)": &c.queue, "LAT(ms)": &c.latency}
	for i, name := range f {
		if place := places[string(name)]; place != nil {
			*place = len(f) - i
		}
	}
	if slices.Contains([]int{c.pid, c.disk, c.kind, c.sector, c.bytes, c.latency}, 0) {
		return false
	}
	b.columns, b.short = &c, nil
	return true
}

// separate parts words that bcc prints without a blank between them, where one is as wide as its column: BYTES, and
// what comes right of it.
func (c *columns) separate(f [][]byte) [][]byte {
	i := len(f) - c.bytes + 1
	if i >= len(f) {
		return f
	}
	word, cut := f[i], 0
	if c.pattern == c.bytes-1 {
		cut = len(word) - 1 // S, R or ?
	} else if point := bytes.IndexByte(word, '.'); point >= narrowBytes+narrowTime {
		cut = parted(word, point)
	}
	if cut < 1 {
		return f
	}
	f[i] = word[:cut]
	return slices.Insert(f, i+1, word[cut:])
}

// So many digits BYTES has at least, and a time in front of its point, where they touch.
const (
	narrowBytes = 7
	narrowTime  = 4
)

// parted finds where BYTES end, whole sectors, and a time begins, the shortest that can be.
func parted(word []byte, point int) int {
	for cut := point - narrowTime; cut >= narrowBytes; cut-- {
		if n, ok := convert.ParseInt(word[:cut], 41); ok && n%512 == 0 && word[cut] != '0' {
			return cut
		}
	}
	return 0
}

// A request ends at most so long before the one that was printed first, and nothing takes longer than that.
const (
	earliest = -3600e9
	longest  = 1 << 60
)

// parseEnd reads a TIME. Requests that ended before the one that was printed first have negative ones, which
// libbpf-tools print without their sign: as what is missing to 2^64 ns.
func parseEnd(text []byte) (int64, bool) {
	const all = (1<<64 - 1) / 1000
	us, ok := ParseDecimal(text, 6)
	if us > all/2 && us <= all {
		us -= all
	}
	return us * 1000, ok && us >= earliest/1000 && us <= longest/1000
}

// bccNotes says what the table of bcc does not tell.
func (b *biosnoopReader) bccNotes() (notes []string) {
	if b.columns == nil || !b.columns.bcc || b.Rows == 0 {
		return nil
	}
	notes = append(notes, "biosnoop of bcc says R of whatever is not a write: discards count as reads, and what has no "+
		"data as flushes")
	if !b.writes {
		notes = append(notes, "there is no write: biosnoop of bcc 0.31 shows none on Linux 6.12")
	}
	return notes
}
