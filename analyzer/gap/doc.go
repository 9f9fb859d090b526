// Package gap explains why a recorded workload is slower than a benchmark. It
// gives three views:
//
//	A  the causes that the recording's time went to (the verdict's), and those behind each difference
//	B  bounds: what simple models say is possible at best (Bounds)
//	C  an experiment: cells between benchmark and workload, run on the real
//	   device, and the difference divided among the factors (Design, Explain)
//
// It also finds the benchmark to compare with (Reference): in the catalogue of
// patterns or in the results of a run.
//
// Everything here is pure: it reads a trace and measured numbers, and runs
// nothing. Values that are divided are seconds per GB (10^9 bytes) of payload,
// because those add up; rates do not.
package gap
