// Package report turns a profile.Profile into something to read: text for a
// terminal, JSON for scripts, and one self-contained HTML page.
//
// All three print what the profile says and compute nothing of their own but
// units, widths and what to leave out. A number that the profile marks with a
// warning carries that mark here too.
package report
