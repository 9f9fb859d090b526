package replay

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/internal/uring"
)

// A copy goes through although the kernel can start no thread for what would
// block, and gives every write to a new file back undone.
func TestRingWithoutThreads(t *testing.T) {
	testenv.NoNewThreads(t)
	dir := t.TempDir()
	want := make([]byte, 1<<20+777)
	rand.NewChaCha8([32]byte{1}).Read(want)
	if err := os.WriteFile(filepath.Join(dir, "from"), want, 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := os.Open(filepath.Join(dir, "from"))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := os.Create(filepath.Join(dir, "to"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	o := &Op{Ring: 4, Block: 64 << 10, Size: int64(len(want))}
	moved, err := copyByRing(int(out.Fd()), int(in.Fd()), o, &atomic.Bool{})
	if errors.Is(err, uring.ErrUnavailable) {
		testenv.Missing(t, "%v", err)
	}
	got, readErr := os.ReadFile(out.Name())
	if err = errors.Join(err, readErr); err != nil || moved != o.Size || !bytes.Equal(got, want) {
		t.Errorf("%d of %d bytes copied, equal: %t (%v)", moved, o.Size, bytes.Equal(got, want), err)
	}
}
