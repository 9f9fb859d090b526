//go:build linux

package ebpf

import (
	"os"
	"slices"

	"github.com/iotrace/iotrace/trace"
)

// mappings remembers which file is mapped where, per process, for the calls
// that name an address.
type mappings map[uint32][]mapping

type mapping struct {
	address, length uint64
	offset          int64
	file            trace.FileID
}

var pageSize = int64(os.Getpagesize())

const maxMappings = 1024 // per process; the oldest are forgotten

// end is where the last of its pages ends.
func (m *mapping) end() uint64 {
	page := uint64(pageSize)
	return (m.address + m.length + page - 1) / page * page
}

// add takes a new mapping. Those whose place it takes are gone, and with them what the process knew of their files.
func (m mappings) add(pid uint32, n mapping) {
	list := slices.DeleteFunc(m[pid], func(old mapping) bool { return old.address >= n.address && old.end() <= n.end() })
	if list = append(list, n); len(list) > maxMappings {
		list = list[len(list)-maxMappings:]
	}
	m[pid] = list
}

// at finds the file at an address, the newest mapping first.
func (m mappings) at(pid uint32, address uint64) (trace.FileID, int64) {
	list := m[pid]
	for i := len(list) - 1; i >= 0; i-- {
		if n := list[i]; address >= n.address && address < n.address+n.length {
			return n.file, n.offset + int64(address-n.address)
		}
	}
	return 0, trace.NoOffset
}

// files are those that calls may refer to by an address.
func (m mappings) files() map[trace.FileID]bool {
	files := map[trace.FileID]bool{}
	for _, list := range m {
		for i := range list {
			files[list[i].file] = true
		}
	}
	return files
}
