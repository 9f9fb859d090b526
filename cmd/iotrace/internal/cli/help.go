package cli

import (
	"embed"
	"strings"
)

// help holds what the commands say of themselves, where that is long.
//
//go:embed help/*.txt
var help embed.FS

// Help is the help on a command. One without its file does not start, which every test would notice.
func Help(command string) string {
	text, err := help.ReadFile("help/" + command + ".txt")
	if err != nil {
		panic(err)
	}
	return strings.TrimSuffix(string(text), "\n")
}
