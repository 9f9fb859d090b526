// Package stats answers the statistical questions of the analyzer, the benchmarks and the gap decomposition with pure
// functions over []float64. It knows nothing about traces.
//
// # Which method for which question
//
// How large is it, typically? Median with MedianCI; quantiles for the tail.
// Storage timings are skewed to the slow side and have outliers, which the
// mean follows and the median does not. TrimmedMean is
// here because published figures use it. For millions of events a
// Histogram gives quantiles to 0.8 % and adds up over files,
// threads and traces; quantiles themselves never do.
//
// Is there one answer at all? FindModes, before any of these: a
// drive that runs at 2.3 GB/s for a third of a copy and at 0.66 GB/s for the rest has no mean. Three methods have to
// agree (dip test, mixture, separation), because each of them alone has false positives.
//
// Did it change on the way? ChangePoints, over equal chunks of bytes or the
// runs of an experiment in their order: where, by how much, how sure. Segment
// is the bare optimum behind it, for those who know their noise.
//
// What does a file cost, what does a byte? OLS and TheilSen of time over size: the slope is the inverse of a rate,
// the intercept the cost per file. OLS is what people quote and is dominated by the largest files; TheilSen tolerates
// 29 % of outliers and has an interval. Neither tolerates a change of the drive's speed.
//
// Are two sets of runs different? MannWhitney says whether, RatioOfMedians by how much. Rank tests need no normal
// distribution; Welch is for means of logarithms. At least six runs a side, or there is no interval.
//
// Are two traces different? With a million events every P is 0 and means
// nothing. Distances instead: EarthMover in the unit of the values (how far
// apart), JensenShannon on bins (which sizes one has and the other lacks).
//
// Why is it slower than the benchmark? Shapley on a full factorial of up to
// ten factors, Attribute where each cell was measured six times or more;
// PlackettBurman and ScreenEffects find the few factors worth it first.
// Changing one factor at a time gives an answer for each order; Contribution
// shows that range.
//
// # Conventions
//
// Arguments are not modified or kept. A sample is usable if it has values and all are finite. For any other the
// result is NaN, nil, or an Interval that is not Known, as each function says. No function panics. Intervals are
// two-sided. Values must be independent unless a function says otherwise: neighbours in a time series are not, which
// only ChangePoints allows for.
//
// Whatever draws random numbers takes its seed from Resampling, and gives the
// same result on every system up to rounding.
//
// Combinations and the functions behind distributions are gonum's. The rest is written from the papers named
// at each function and checked against SciPy, ruptures, scikit-learn and a linear program for the dip
// (testdata/README.md).
package stats
