// Package benchmarks prints the results of benchmarks, what they are about to
// do, and the catalogue: as text for a terminal and as CSV.
package benchmarks
