package perfetto

import "google.golang.org/protobuf/encoding/protowire"

// words are texts of one sort that were given numbers: a packet has the number, and
// with the first one comes the text.
type words struct {
	field protowire.Number // of InternedData
	ids   map[string]uint64
	next  uint64
	held  int // bytes of the texts
}

// maxHeld bounds the texts of one sort that are remembered, in bytes; beyond it all of
// them are forgotten, and come again with other numbers.
const maxHeld = 16 << 20

func newWords(field protowire.Number) *words { return &words{field: field, ids: map[string]uint64{}} }

// id is the number of a text. news is what the packet has to tell of it, added to what
// it tells already.
func (w *words) id(s string, news message) (id uint64, all message) {
	if id, ok := w.ids[s]; ok {
		return id, news
	}
	if w.held += len(s) + 64; w.held > maxHeld {
		clear(w.ids)
		w.held = 0
	}
	w.next++
	w.ids[s] = w.next
	return w.next, news.message(w.field, message(nil).number(internedID, w.next).text(internedName, s))
}
