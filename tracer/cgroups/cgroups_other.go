//go:build !linux

package cgroups

import (
	"github.com/iotrace/iotrace/internal/mountinfo"
	"github.com/iotrace/iotrace/trace"
)

func mounts() []mountinfo.Mount { return nil }

func memberships(uint32) string { return "" }

// macOS has no control groups.
type quotas struct{}

func newQuotas([]mountinfo.Mount) *quotas { return &quotas{} }

func (*quotas) joined(string) {}

func (*quotas) look() {}

func (*quotas) held() []trace.Held { return nil }

type limits struct{ list []trace.IOLimit }

func newLimits([]mountinfo.Mount, func() int64) *limits { return &limits{} }

func (*limits) joined(string) {}

func (*limits) look() {}

type shortages struct{}

func newShortages([]mountinfo.Mount) *shortages { return &shortages{} }

func (*shortages) joined(string) {}

func (*shortages) look() {}

func (*shortages) list() []trace.MemoryLimit { return nil }
