package events

import "strconv"

// flagNames name the bits of trace.IOFlags.
var flagNames = []string{
	"direct", "sync", "dsync", "append", "nocache", "nowait", "write", "read", "create", "trunc",
	"excl", "shared", "exec", "vectored", "positioned", "full", "barrier", "pinned", "partial", "hole",
}

// reqFlagNames name the bits of trace.ReqFlags.
var reqFlagNames = []string{
	"sync", "meta", "fua", "preflush", "readahead", "background", "prio", "foreign", "recorder",
	"bio", "direct", "swap", "nomerge",
}

// fileFlagNames name the bits of trace.FileFlags.
var fileFlagNames = []string{"deleted", "truncated", "unlinked"}

// appendBits appends the names of the bits that are set, as "a|b".
func appendBits(b []byte, set uint32, names []string) []byte {
	for i, first := 0, true; set>>i != 0; i++ {
		if set>>i&1 == 0 {
			continue
		}
		if !first {
			b = append(b, '|')
		}
		first = false
		if i < len(names) {
			b = append(b, names[i]...)
		} else {
			b = strconv.AppendInt(append(b, "bit"...), int64(i), 10)
		}
	}
	return b
}
