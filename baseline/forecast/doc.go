// Package forecast says how long runs of benchmarks take: from a trial of each kind of step before the run, and from
// what has been measured while it is under way. It has no clock of its own.
package forecast
