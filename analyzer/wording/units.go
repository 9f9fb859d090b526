package wording

import "regexp"

// quantities are a number and the unit behind it.
var quantities = regexp.MustCompile(`([0-9]) (%|[kKMGTPE]?i?B\b|[nµm]?s\b)`)

// WithUnits puts something else than a blank between each number and its unit.
func WithUnits(text, between string) string {
	return quantities.ReplaceAllString(text, "${1}"+between+"$2")
}
