package timeline

// Kind is a label, and with it what waited: what a device does for calls that make data durable, or for calls on names,
// has other causes than what it does for those that move data.
type Kind uint8

// within is what kind of call waited.
type within uint8

const (
	anywhere within = iota
	forSync
	forNames
	numWithin
)

var withforNames = [numWithin]string{"", "sync", "names"}

// apart are the labels that are told apart by the call that waited.
var apart = [...]Label{DeviceRead, DeviceWrite, DeviceOther, Queued, IOWait}

// NumKinds is how many there are. The first NumLabels are the labels themselves, whatever waited.
const NumKinds = Kind(NumLabels) + Kind(len(apart))*Kind(numWithin-1)

// KindOf is the kind of an instant under a label, in a call of a class.
func KindOf(l Label, c Class) Kind {
	w := anywhere
	switch c {
	case SyncCall:
		w = forSync
	case MetaCall:
		w = forNames
	}
	if w == anywhere {
		return Kind(l)
	}
	for i, a := range apart {
		if a == l {
			return Kind(NumLabels) + Kind(i)*Kind(numWithin-1) + Kind(w-1)
		}
	}
	return Kind(l)
}

// KindNamed is the kind of a label and of what waited, by their names; false if there is none.
func KindNamed(label, within string) (Kind, bool) {
	for k := range NumKinds {
		if k.Label().String() == label && k.Within() == within {
			return k, true
		}
	}
	return 0, false
}

// Label is the label alone.
func (k Kind) Label() Label {
	if k < Kind(NumLabels) {
		return Label(k)
	}
	return apart[(k-Kind(NumLabels))/Kind(numWithin-1)]
}

// Within is what waited: "sync" for calls that make data durable, "names" for calls on names, attributes and
// allocation, "" for all others and where it makes no difference.
func (k Kind) Within() string {
	if k < Kind(NumLabels) {
		return ""
	}
	return withforNames[1+(k-Kind(NumLabels))%Kind(numWithin-1)]
}
