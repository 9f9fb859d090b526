package tracer

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/iotrace/iotrace/internal/testenv"
)

// Between two steps of one large file there is a way out.
func TestWriteBackOfALargeFileCanBeGivenUp(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "sparse"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(1 << 40); err != nil {
		testenv.Missing(t, "no sparse files here: %v", err)
	}
	enough := errors.New("enough")
	asked := 0
	err = writeBack(f, true, func() error {
		if asked++; asked == 3 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) {
		t.Errorf("error %v after asking %d times", err, asked)
	}
}
