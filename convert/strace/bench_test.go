//go:build unix

package strace

import (
	"fmt"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/convert/internal/trial"
	"github.com/iotrace/iotrace/trace"
)

// longLog is a log of two processes that copy files in small steps.
func longLog(size int) string {
	var b strings.Builder
	for at := 0; b.Len() < size; at += 10 {
		name := fmt.Sprintf("/home/user/project/sources/package%d/module.c", at/10%5000)
		for i, call := range []string{
			`openat(AT_FDCWD</home/user/project>, "` + name + `", O_RDONLY|O_CLOEXEC) = 3<` + name + `>`,
			`newfstatat(3<` + name + `>, "", {st_mode=S_IFREG|0644, st_size=31, ...}, AT_EMPTY_PATH) = 0`,
			`read(3<` + name + `>, "/* SPDX-License-Identifier: GPL-"..., 131072) = 4096`,
			`write(1</home/user/project/out>, "/* SPDX-License-Identifier: GPL-"..., 4096) = 4096`,
			`read(3<` + name + `>, ""..., 131072) = 0`,
			`mmap(NULL, 139264, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7f1be4e41000`,
			`close(3<` + name + `>) = 0`,
		} {
			fmt.Fprintf(&b, "%d 17000%05d.%06d %s <0.0000%02d>\n", 4711+at/10%2, at/1000000, at%1000000+i, call, i+10)
		}
	}
	return b.String()
}

// BenchmarkImport is how fast a log becomes a trace: all of it, on as many processors as there are.
func BenchmarkImport(b *testing.B) { trial.Speed(b, &Importer, longLog(32<<20)) }

// BenchmarkRead is the reading of lines alone.
func BenchmarkRead(b *testing.B) {
	text := longLog(32 << 20)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	defer trial.PerSecond(b, len(text))()
	for b.Loop() {
		if c, err := Importer.Import(strings.NewReader(text), nowhere{}); err != nil || c.Damaged > 0 {
			b.Fatalf("%+v, %v", c, err)
		}
	}
}

// nowhere takes events and keeps none.
type nowhere struct{}

func (nowhere) Syscall(*trace.Syscall) error { return nil }
func (nowhere) AsyncOp(*trace.AsyncOp) error { return nil }
func (nowhere) Fault(*trace.Fault) error     { return nil }
func (nowhere) Request(*trace.Request) error { return nil }
func (nowhere) Wait(*trace.Wait) error       { return nil }
func (nowhere) RPC(*trace.RPC) error         { return nil }
func (nowhere) Process(*trace.Process) error { return nil }
func (nowhere) File(*trace.File) error       { return nil }
func (nowhere) Device(*trace.Device) error   { return nil }
func (nowhere) Lost(*trace.Lost) error       { return nil }
