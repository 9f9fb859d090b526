package cli

import (
	"embed"
	"strings"
)

// help holds what the commands say of themselves, where that is long.
//
//go:embed help/*.txt
var help embed.FS

// Help is the help on a command, a screen at most. One without its file does not start, which every test would notice.
func Help(command string) string {
	text, err := help.ReadFile("help/" + command + ".txt")
	if err != nil {
		panic(err)
	}
	path := "iotrace " + command
	if command == "sustained" {
		path = "iotrace bench sustained"
	}
	return strings.TrimSuffix(string(text), "\n") + More(path)
}

// More is the end of the help of a command, by its path: what takes more than a screen is in the manual.
func More(path string) string {
	return "\n\nMore, with files and exit statuses: man " + strings.ReplaceAll(path, " ", "-")
}

// Formats is the annotation of a command with the formats that it knows, for its page in the manual.
const Formats = "formats"
