package darwin

import "github.com/iotrace/iotrace/convert"

// known are the values of an export that later rows may refer to, those that were referred to longest.
type known struct {
	ids       map[string]*value
	size      int  // bytes of those in ids
	forgotten bool // some that are not in ids any more were
	missing   bool // the row refers to one that may be one of those
	names     convert.Texts
}

// value is one that has an ID.
type value struct {
	*element
	used bool // it was referred to since values were last forgotten
}

const (
	overhead = 200      // bytes that a value takes besides its texts
	maxKnown = 40 << 20 // bytes of all values
)

// find is the value of an ID, nil if it is not known.
func (k *known) find(id string) *value {
	v := k.ids[id]
	if v == nil {
		k.missing = k.missing || k.forgotten
		return nil
	}
	v.used = true
	return v
}

// remember keeps a value. If there are too many, those are forgotten that nothing has referred to meanwhile, such
// as the times of calls, of which each is another.
func (k *known) remember(id string, e *element) {
	if old := k.ids[id]; old != nil {
		k.size -= old.size + len(id)
	}
	k.ids[id] = &value{element: e}
	if k.size += e.size + len(id); k.size <= maxKnown {
		return
	}
	k.forgotten = true
	k.forget(func(v *value) bool { return !v.used })
	if k.size > maxKnown/2 {
		k.forget(func(*value) bool { return true })
	}
}

func (k *known) forget(which func(*value) bool) {
	kept := map[string]*value{} // clear would keep the memory of the largest that there was
	k.size = 0
	for id, v := range k.ids {
		if !which(v) {
			v.used = false
			kept[id] = v
			k.size += v.size + len(id)
		}
	}
	k.ids = kept
}
