//go:build !linux

package cgroups

import "github.com/iotrace/iotrace/trace"

// macOS has no control groups.
type quotas struct{}

func newQuotas() *quotas { return &quotas{} }

func (*quotas) joined(uint32) {}

func (*quotas) look() {}

func (*quotas) held() []trace.Held { return nil }

type limits struct{ list []trace.IOLimit }

func newLimits(func() int64) *limits { return &limits{} }

func (*limits) joined(uint32) {}

func (*limits) look() {}
