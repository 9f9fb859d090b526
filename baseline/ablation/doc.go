// Package ablation moves one payload in many ways, from a benchmark's to a
// workload's, so that the cost of each difference between them can be told.
package ablation
