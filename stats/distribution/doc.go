// Package distribution keeps the distribution of millions of values in a
// Histogram, and measures how far apart two distributions are. It also says
// whether a sample gathers around one value or around several, which no mean
// describes.
//
// FindModes needs three methods to agree (dip test, mixture, separation),
// because each of them alone has false positives.
//
// With a million events every P is 0 and means nothing. Distances instead:
// EarthMover in the unit of the values (how far apart), JensenShannon on bins
// (which sizes one has and the other lacks).
//
// The conventions are those of package stats.
package distribution
