package block

import (
	"strings"

	"github.com/iotrace/iotrace/trace"
)

// ParseRWBS reads the letters that the block layer's tools print for what a
// request does: an F for a flush before it, the operation (R, W, D, N), and
// then F for force unit access, A for readahead, S, M.
func ParseRWBS(s string, bytes int64) (op trace.ReqOp, flags trace.ReqFlags, ok bool) {
	if strings.HasPrefix(s, "F") {
		flags |= trace.ReqPreflush
		if s = s[1:]; s == "" || s[0] == 'F' || bytes == 0 && strings.IndexByte("WNSM", s[0]) >= 0 {
			return trace.ReqFlush, trace.ReqSync, true
		}
	}
	if s == "" {
		return 0, 0, false
	}
	switch s[0] {
	case 'R':
		op = trace.ReqRead
	case 'W':
		op = trace.ReqWrite
	case 'D':
		op = trace.ReqDiscard
		s = strings.Replace(s, "DE", "D", 1)
	case 'Z':
		return trace.ReqZone, 0, true
	case 'N', 'M':
		op = trace.ReqOther
	default:
		return 0, 0, false
	}
	for _, c := range s[1:] {
		switch c {
		case 'F':
			flags |= trace.ReqFUA
		case 'A':
			flags |= trace.ReqReadahead
		case 'S':
			flags |= trace.ReqSync
		case 'M':
			flags |= trace.ReqMeta
		case 'B', 'U': // barrier of old kernels; atomic
		default:
			return 0, 0, false
		}
	}
	return op, flags, true
}
