package schema

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/trace"
)

// Bits name the bits of flags, the lowest first.
type Bits []string

// The flags of events.
var (
	IOFlags = Bits{ // of trace.IOFlags
		"direct", "sync", "dsync", "append", "nocache", "nowait", "write", "read", "create", "trunc",
		"excl", "shared", "exec", "vectored", "positioned", "full", "barrier", "pinned", "partial", "hole", "exchange",
		"zeros", "polled",
	}
	ReqFlags = Bits{ // of trace.ReqFlags
		"sync", "meta", "fua", "preflush", "readahead", "background", "prio", "foreign", "recorder",
		"bio", "direct", "swap", "nomerge", "packed", "idle", "spare",
	}
	FileFlags = Bits{"deleted", "truncated", "unlinked", "synchronous", "elsewhere"} // of trace.FileFlags
	WaitFlags = Bits{"helper"}                                                       // of trace.WaitFlags
)

// BitsOf are the names of the bits of a type.
func BitsOf(flags reflect.Type) Bits {
	return map[reflect.Type]Bits{
		reflect.TypeFor[trace.IOFlags](): IOFlags, reflect.TypeFor[trace.ReqFlags](): ReqFlags,
		reflect.TypeFor[trace.FileFlags](): FileFlags, reflect.TypeFor[trace.WaitFlags](): WaitFlags,
	}[flags]
}

// Append appends the names of the bits that are set, as "a|b"; one without a
// name is "bit31".
func (n Bits) Append(b []byte, set uint32) []byte {
	for i, first := 0, true; set>>i != 0; i++ {
		if set>>i&1 == 0 {
			continue
		}
		if !first {
			b = append(b, '|')
		}
		first = false
		if i < len(n) {
			b = append(b, n[i]...)
		} else {
			b = strconv.AppendInt(append(b, "bit"...), int64(i), 10)
		}
	}
	return b
}

// List is the names of the bits that are set, nil if none is.
func (n Bits) List(set uint32) []string {
	if set == 0 {
		return nil
	}
	return strings.Split(string(n.Append(nil, set)), "|")
}

// Find is the bit with a name of its own; false if there is none.
func (n Bits) Find(name []byte) (bit uint32, ok bool) {
	for i := range n {
		if n[i] == string(name) {
			return 1 << i, true
		}
	}
	return 0, false
}

// Parse finds the bits that List gave these names; false if one is not the name of any.
func (n Bits) Parse(list []string) (set uint32, ok bool) {
	for _, name := range list {
		i := slices.Index(n, name)
		if number, found := strings.CutPrefix(name, "bit"); i < 0 && found {
			bit, err := strconv.ParseUint(number, 10, 5)
			if err != nil {
				return 0, false
			}
			i = int(bit)
		}
		if i < 0 {
			return 0, false
		}
		set |= 1 << i
	}
	return set, true
}
