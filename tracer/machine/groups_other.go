//go:build !linux

package machine

import (
	"errors"
	"fmt"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/trace"
)

func mounts() []host.Mount { return nil }

// macOS has no control groups.
type groupQuotas struct{}

func newGroupQuotas([]host.Mount) *groupQuotas { return &groupQuotas{} }

func (*groupQuotas) joined(string) {}

func (*groupQuotas) look() {}

func (*groupQuotas) held() []trace.Held { return nil }

type groupLimits struct{ list []trace.IOLimit }

func newGroupLimits([]host.Mount, func() int64) *groupLimits { return &groupLimits{} }

func (*groupLimits) joined(string) {}

func (*groupLimits) look() {}

type groupShortages struct{}

func newGroupShortages([]host.Mount) *groupShortages { return &groupShortages{} }

func (*groupShortages) joined(string) {}

func (*groupShortages) look() {}

func (*groupShortages) list() []trace.MemoryLimit { return nil }

// FindGroup finds none.
func FindGroup(path string) (Group, error) {
	return Group{}, fmt.Errorf("control group %s: %w: this system has no control groups", path, errors.ErrUnsupported)
}

// Groups lists none.
func Groups(func(string) bool) ([]Group, error) {
	return nil, fmt.Errorf("listing control groups: %w: this system has none", errors.ErrUnsupported)
}

// Processes lists nobody.
func (Group) Processes() ([]uint32, error) { return nil, nil }
