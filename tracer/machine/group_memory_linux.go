package machine

import (
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/internal/host"
)

// Memory is what a control group lets its processes use.
type Memory struct {
	Group string
	Limit int64 // bytes
	Free  int64 // of them: what is not used, or can be reclaimed
}

// OwnMemory is the tightest limit of memory for this process, that of its group or of one around it; false if there
// is none.
func OwnMemory() (m Memory, ok bool) {
	h := find(mounts(), "memory", "memory.limit_in_bytes")
	return h.memory(host.Memberships(uint32(os.Getpid())))
}

func (h hierarchy) memory(of string) (m Memory, ok bool) {
	for group := range h.around(of) {
		if limit := h.limit(group); limit < unlimited {
			free := max(limit-h.used(group), 0)
			if !ok || free < m.Free {
				m, ok = Memory{Group: group, Limit: limit, Free: free}, true
			}
		}
	}
	return m, ok
}

// unlimited is less than what version 1 has for no limit, and more than any machine.
const unlimited = math.MaxInt64 >> 1

// limit is that of one group. Above memory.high of version 2 its processes are slowed down until they use less.
func (h hierarchy) limit(group string) int64 {
	if !h.unified {
		return limitOr(h.read(group, "memory.limit_in_bytes"), math.MaxInt64)
	}
	return min(limitOr(h.read(group, "memory.max"), math.MaxInt64), limitOr(h.read(group, "memory.high"), math.MaxInt64))
}

// used is what cannot be reclaimed: the page cache can.
func (h hierarchy) used(group string) int64 {
	file, prefix := "memory.usage_in_bytes", "total_"
	if h.unified {
		file, prefix = "memory.current", ""
	}
	used := limitOr(h.read(group, file), 0)
	for line := range strings.Lines(h.read(group, "memory.stat")) {
		switch name, n, _ := strings.Cut(line, " "); name {
		case prefix + "active_file", prefix + "inactive_file", "slab_reclaimable":
			used -= limitOr(n, 0)
		}
	}
	return max(used, 0)
}

// limitOr is what a file says, or otherwise if it says "max", or nothing.
func limitOr(text string, otherwise int64) int64 {
	if n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64); err == nil {
		return n
	}
	return otherwise
}
