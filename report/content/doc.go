// Package content is what a report says, whatever shows it. It has the sentences and tables of a profile, of a
// comparison and of a gap, and the marks of doubtful numbers.
package content
