// Package content is what a report says, whatever shows it. It has the sentences and tables of a profile, of a
// comparison and of a gap, and the marks of doubtful numbers; for scripts, all of that as JSON.
//
// It computes nothing of its own but units, widths and what to leave out. A number that the profile marks with a
// warning carries that mark here too.
package content
