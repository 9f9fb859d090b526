// Package report writes reports as JSON for scripts. Its packages write them for people: text for a terminal, page as
// self-contained HTML.
//
// All of them print what a profile says and compute nothing of their own but units,
// widths and what to leave out. A number that the profile marks with a warning carries
// that mark here too. It is a package of its own because JSON is made without what text and page draw.
package report
