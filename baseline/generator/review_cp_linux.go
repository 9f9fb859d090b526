package generator

import (
	"os/exec"
	"strings"
	"sync"
)

// gnu reports whether cp is that of coreutils, which clones by itself where it can.
var gnu = sync.OnceValue(func() bool {
	text, err := exec.Command("cp", "--version").Output()
	return err == nil && strings.Contains(string(text), "coreutils")
})

// copyOptions make cp move the data, or clone it.
func copyOptions(work string) []string {
	switch {
	case work == "clone":
		return []string{"--reflink=always"}
	case work == "tree" && gnu():
		return []string{"-r", "--reflink=never"}
	case work == "tree":
		return []string{"-r"}
	case gnu():
		return []string{"--reflink=never"}
	}
	return nil
}
