//go:build linux

package ebpf

import (
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// A mapping is known until another one lies where it was.
func TestMappingsTakeThePlaceOfOthers(t *testing.T) {
	const page = 1 << 16 // of any system
	m := mappings{}
	for n := range 3 * maxMappings { // as of a program that maps one file after the other
		file := trace.FileID(2*n + 10)
		m.add(7, mapping{address: 8 * page, length: page, file: file})
		m.add(7, mapping{address: 9 * page, length: page + 1, file: file + 1})
		if len(m[7]) > 2 {
			t.Fatalf("%d mappings are kept, want those of the last two files", len(m[7]))
		}
		if a, _ := m.at(7, 8*page); a != file {
			t.Fatalf("file %d is at the first address, want %d", a, file)
		}
	}
	m.add(7, mapping{address: 9 * page, length: page, offset: 3 * page, file: 1}) // a page less
	m.add(7, mapping{address: 9*page + 100, length: 10, file: 2})
	before, _ := m.at(7, 10*page)
	first, offset := m.at(7, 9*page+1)
	within, _ := m.at(7, 9*page+100)
	if before == 0 || first != 1 || offset != 3*page+1 || within != 2 || len(m.files()) != 4 {
		t.Errorf("files %d, %d at %d, and %d; %v", before, first, offset, within, m.files())
	}
}
