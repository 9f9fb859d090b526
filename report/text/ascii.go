package text

import "strings"

// plain are the characters of a report where the locale has ASCII alone. Names of files are left as they are.
var plain = strings.NewReplacer("█", "#", "▓", "=", "▒", "-", "░", ".", " · ", " | ", "·", ".", "▏", "|", "▎", "|",
	"▍", "|", "▌", "|", "▋", "#", "▊", "#", "▉", "#", "µs", "us", "→", "->", "…", "...", "–", "-", "×", "x")
