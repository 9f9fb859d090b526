package replay

import (
	"fmt"
	"os"
	"regexp"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/output"
)

// own is the directory that a run makes in Options.Dir and removes: with one for
// each time that the program is replayed, of which the files have names as fileName
// and rename make them.
var own = output.WorkspaceKind{
	Name: "iotrace-replay", Maker: "iotrace replay", Files: regexp.MustCompile(`^file-[0-9]{7,}(\.[0-9]+)*$`),
	Dirs: regexp.MustCompile(`^[0-9]{3,}$`),
}

func fileName(n int) string { return fmt.Sprintf("file-%07d", n) }

func dirName(n int) string { return fmt.Sprintf("%03d", n) }

// ownInputs is the directory that Inputs makes and removes.
var ownInputs = output.WorkspaceKind{
	Name: "iotrace-inputs", Maker: "iotrace replay", Files: regexp.MustCompile(`^[0-9]+-[0-9]+$`),
}

// enough is an error if a directory has no room for files.
func enough(dir string, need int64) error {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return fmt.Errorf("preparing the replay: %w", &os.PathError{Op: "statfs", Path: dir, Err: err})
	}
	if free := int64(st.Bavail) * int64(st.Bsize); need+need/50+(16<<20) > free {
		return fmt.Errorf("preparing the replay: its files need %d MB, %s has %d MB free; use another directory", need/1e6,
			dir, free/1e6)
	}
	return nil
}
