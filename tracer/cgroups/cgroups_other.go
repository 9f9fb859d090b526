//go:build !linux

package cgroups

import (
	"github.com/iotrace/iotrace/internal/procfs"
	"github.com/iotrace/iotrace/trace"
)

func mounts() []procfs.Mount { return nil }

func memberships(uint32) string { return "" }

// macOS has no control groups.
type quotas struct{}

func newQuotas([]procfs.Mount) *quotas { return &quotas{} }

func (*quotas) joined(string) {}

func (*quotas) look() {}

func (*quotas) held() []trace.Held { return nil }

type limits struct{ list []trace.IOLimit }

func newLimits([]procfs.Mount, func() int64) *limits { return &limits{} }

func (*limits) joined(string) {}

func (*limits) look() {}

type shortages struct{}

func newShortages([]procfs.Mount) *shortages { return &shortages{} }

func (*shortages) joined(string) {}

func (*shortages) look() {}

func (*shortages) list() []trace.MemoryLimit { return nil }
