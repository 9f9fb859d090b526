// Package modes says whether a sample gathers around one value or around
// several, which no mean describes.
//
// It needs three methods to agree (dip test, mixture, separation), because each
// of them alone has false positives.
//
// The conventions are those of package stats.
package modes
