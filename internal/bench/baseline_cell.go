//go:build linux

package main

import (
	"fmt"
	"math"

	"github.com/iotrace/iotrace/stats"
)

// side is what one run of one program gave.
type side struct {
	Rate    float64              `json:"bytes_per_second"`
	Latency map[string]quantiles `json:"latency_ns,omitempty"` // "read", "write"
	Depth   float64              `json:"depth,omitempty"`
	CPU     float64              `json:"cpu_ns_per_op,omitempty"`
}

// quantiles are of the time from submission to completion, in ns.
type quantiles struct {
	P50 float64 `json:"p50"`
	P99 float64 `json:"p99"`
}

// cell is one comparison: run i of ours was measured next to run i of theirs.
type cell struct {
	Name   string `json:"name"`
	Ours   []side `json:"ours"`
	Theirs []side `json:"theirs"`
}

// pair measures both sides n times; each goes first equally often.
func pair(name string, n int, ours, theirs func(i int) (side, error)) (*cell, error) {
	c := &cell{Name: name}
	for i := range n {
		for turn := range 2 {
			run, to := ours, &c.Ours
			if (i+turn)%2 == 1 {
				run, to = theirs, &c.Theirs
			}
			got, err := run(i)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			*to = append(*to, got)
		}
	}
	return c, nil
}

// ratios are ours over theirs, pair by pair.
func (c *cell) ratios(value func(side) float64) []float64 {
	all := make([]float64, len(c.Ours))
	for i := range all {
		all[i] = value(c.Ours[i]) / value(c.Theirs[i])
	}
	return all
}

func (c *cell) median(value func(side) float64) float64 { return stats.Median(c.ratios(value)) }

// latency is the median ratio of a quantile; of a mix that of the direction
// that is further from 1.
func (c *cell) latency(value func(quantiles) float64) float64 {
	worst := 1.0
	for direction := range c.Ours[0].Latency {
		r := c.median(func(s side) float64 { return value(s.Latency[direction]) })
		if math.Abs(math.Log(r)) > math.Abs(math.Log(worst)) {
			worst = r
		}
	}
	return worst
}

func rate(s side) float64     { return s.Rate }
func depth(s side) float64    { return s.Depth }
func cpu(s side) float64      { return s.CPU }
func p50(q quantiles) float64 { return q.P50 }
func p99(q quantiles) float64 { return q.P99 }

// mark prints a ratio, in bold where it is out of bounds.
func mark(x, low, high float64) string {
	if x < low || x > high {
		return fmt.Sprintf("**%.3f**", x)
	}
	return fmt.Sprintf("%.3f", x)
}

// row is a line of a table.
func (c *cell) row(bounds []bound) string {
	ci := stats.RatioOfMedians(values(c.Ours, rate), values(c.Theirs, rate), stats.Resampling{})
	if c.Ours[0].Latency == nil {
		return fmt.Sprintf("| %s | %.1f | %.1f | %s | %.2f … %.2f |", c.Name, stats.Median(values(c.Theirs, rate)),
			stats.Median(values(c.Ours, rate)), mark(c.median(rate), .95, 1.05), ci.Low, ci.High)
	}
	text := fmt.Sprintf("| %s | %.0f |", c.Name, stats.Median(values(c.Theirs, rate))/1e6)
	for i, b := range bounds {
		text += " " + mark(b.value(c), b.low, b.high) + " |"
		if i == 0 {
			text += fmt.Sprintf(" %.2f … %.2f |", ci.Low, ci.High)
		}
	}
	return text
}

func values(all []side, value func(side) float64) []float64 {
	list := make([]float64, len(all))
	for i, s := range all {
		list[i] = value(s)
	}
	return list
}

type bound struct {
	name      string
	value     func(*cell) float64
	low, high float64
}

// unjudged is the CPU where there are too few operations to judge it.
var unjudged = bound{"CPU", func(c *cell) float64 { return c.median(cpu) }, 0, math.Inf(1)}

// bounds are what the columns of a cell should be within.
var bounds = []bound{
	{"rate", func(c *cell) float64 { return c.median(rate) }, .95, 1.05},
	{"p50", func(c *cell) float64 { return c.latency(p50) }, .95, 1.05},
	{"p99", func(c *cell) float64 { return c.latency(p99) }, .85, 1.15},
	{"depth", func(c *cell) float64 { return c.median(depth) }, .98, 1.02},
	{"CPU", func(c *cell) float64 { return c.median(cpu) }, 0, 1.25},
}
