package tracefile

import (
	"path/filepath"
	"strings"
)

// Name is what a trace is called among others: its file's name without directory and ending.
func Name(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}
