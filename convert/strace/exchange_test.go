package strace

import (
	"testing"

	"github.com/iotrace/iotrace/convert/internal/trial"
	"github.com/iotrace/iotrace/trace"
)

// TestExchange: the two names stay, and none of the files is replaced.
func TestExchange(t *testing.T) {
	log, _ := trial.Import(t, &Importer,
		`100 1700000000.001000 openat(AT_FDCWD</w>, "a", O_WRONLY|O_CREAT, 0666) = 3</w/a> <0.000010>
100 1700000000.002000 write(3</w/a>, ""..., 100) = 100 <0.000020>
100 1700000000.003000 openat(AT_FDCWD</w>, "b", O_WRONLY|O_CREAT, 0666) = 4</w/b> <0.000010>
100 1700000000.004000 renameat2(AT_FDCWD</w>, "a", AT_FDCWD</w>, "b", RENAME_EXCHANGE) = 0 <0.000010>
100 1700000000.005000 write(3</w/b>, ""..., 50) = 50 <0.000020>
100 1700000000.006000 write(4</w/a>, ""..., 10) = 10 <0.000020>
`)
	var a, b trace.FileID
	for _, e := range log.Syscalls {
		switch {
		case e.Op == trace.OpOpen && e.FD == 3:
			a = e.File
		case e.Op == trace.OpOpen:
			b = e.File
		case e.Op == trace.OpRename:
			if e.File != a || e.File2 != b || e.Flags&trace.FlagExchange == 0 {
				t.Errorf("%+v; want %d and %d exchanged", e, a, b)
			}
		case e.Op == trace.OpWrite && e.Requested == 50 && e.File != b,
			e.Op == trace.OpWrite && e.Requested == 10 && e.File != a:
			t.Errorf("%+v is not of the name it had then", e)
		}
	}
	if a == 0 || b == 0 {
		t.Errorf("files %d and %d", a, b)
	}
}
