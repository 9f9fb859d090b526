package storage

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestExplanationsSayWhatToDo(t *testing.T) {
	ws, err := OpenWorkspace(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	for errno, want := range map[error]string{
		unix.ENOSPC: "--size", unix.EDQUOT: "quota", unix.EROFS: "read-only", unix.EIO: "kernel log",
	} {
		if err := ws.Explain(fmt.Errorf("writing: %w", errno)); !strings.Contains(err.Error(), want) ||
			!errors.Is(err, errno) {
			t.Errorf("%v is explained as %q", errno, err)
		}
	}
	if ws.Explain(nil) != nil {
		t.Error("no error has an explanation")
	}
}
