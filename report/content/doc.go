// Package content is what a report says, whatever shows it: the sentences and tables of
// a profile, of a comparison and of a gap, and the marks of numbers that are doubtful.
package content
