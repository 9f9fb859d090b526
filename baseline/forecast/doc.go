// Package forecast says how long runs of benchmarks take. It knows that from a trial of each kind of step before the
// run, and from the measurements during the run. It has no clock of its own.
package forecast
