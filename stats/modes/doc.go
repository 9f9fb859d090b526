// Package modes says whether a sample gathers around one value or around
// several, of which no mean then tells.
//
// It takes three witnesses (dip test, mixture, separation), because each of
// them alone also convicts the innocent.
//
// The conventions are those of package stats.
package modes
