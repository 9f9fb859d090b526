package cli

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
)

// OpenPage shows an HTML page in the user's browser.
func OpenPage(file string) error {
	opener := "xdg-open"
	if runtime.GOOS == "darwin" {
		opener = "open"
	}
	path, err := filepath.Abs(file)
	if err != nil {
		return fmt.Errorf("opening %s: %w", file, err)
	}
	if err := exec.Command(opener, path).Run(); err != nil {
		return fmt.Errorf("opening %s with %s: %w (open it by hand)", file, opener, err)
	}
	return nil
}
