//go:build !linux

package cgroups

import (
	"errors"
	"fmt"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/trace"
)

func mounts() []host.Mount { return nil }

// macOS has no control groups.
type quotas struct{}

func newQuotas([]host.Mount) *quotas { return &quotas{} }

func (*quotas) joined(string) {}

func (*quotas) look() {}

func (*quotas) held() []trace.Held { return nil }

type limits struct{ list []trace.IOLimit }

func newLimits([]host.Mount, func() int64) *limits { return &limits{} }

func (*limits) joined(string) {}

func (*limits) look() {}

type shortages struct{}

func newShortages([]host.Mount) *shortages { return &shortages{} }

func (*shortages) joined(string) {}

func (*shortages) look() {}

func (*shortages) list() []trace.MemoryLimit { return nil }

// Find finds none.
func Find(path string) (Group, error) {
	return Group{}, fmt.Errorf("control group %s: %w: this system has no control groups", path, errors.ErrUnsupported)
}

// List lists none.
func List(func(string) bool) ([]Group, error) {
	return nil, fmt.Errorf("listing control groups: %w: this system has none", errors.ErrUnsupported)
}

// Processes lists nobody.
func (Group) Processes() ([]uint32, error) { return nil, nil }
