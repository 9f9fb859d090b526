//go:build linux

package ebpf

import (
	"fmt"

	"github.com/cilium/ebpf"
)

// helperNotes says whether some threads that woke others were too many to be followed (bpf/helper.h).
func helperNotes(c *ebpf.Collection) ([]string, error) {
	var refused uint64
	if err := c.Variables["helpers_refused"].Get(&refused); err != nil {
		return nil, fmt.Errorf("asking how many helpers were refused: %w", err)
	}
	if refused == 0 {
		return nil, nil
	}
	return []string{fmt.Sprintf("What some threads outside of the recording waited for is not known: %d were followed at "+
		"a time, and others woke recorded ones, or each other, %d times.", iotraceBoundMAX_HELPERS, refused)}, nil
}
