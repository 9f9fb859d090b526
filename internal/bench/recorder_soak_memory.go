//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/cilium/ebpf"
)

// tablesOf are the entries in those tables in the kernel of which a process has descriptors, without the ones that have
// all of theirs from the beginning. The bytes are what all that it has there takes, programs too.
func tablesOf(pid int) (entries int, bytes int64, err error) {
	seen := map[int64]bool{}
	for _, d := range descriptors(pid) {
		id, table := d["map_id"]
		if table && seen[id] {
			continue
		}
		bytes += d["memlock"]
		if !table {
			continue
		}
		seen[id] = true
		n, err := entriesOf(ebpf.MapID(id))
		if err != nil {
			return 0, 0, fmt.Errorf("counting the entries of table %d: %w", id, err)
		}
		entries += n
	}
	return entries, bytes, nil
}

// entriesOf counts the keys of a hash table, which may change meanwhile.
func entriesOf(id ebpf.MapID) (entries int, err error) {
	m, err := ebpf.NewMapFromID(id)
	if err != nil {
		return 0, err
	}
	defer m.Close()
	switch m.Type() {
	case ebpf.Hash, ebpf.LRUHash, ebpf.PerCPUHash, ebpf.LRUCPUHash:
	default:
		return 0, nil
	}
	key := make([]byte, m.KeySize())
	for err = m.NextKey(nil, key); err == nil && entries < int(m.MaxEntries()); err = m.NextKey(key, key) {
		entries++ // after a key that is gone, the kernel begins anew
	}
	if errors.Is(err, ebpf.ErrKeyNotExist) {
		err = nil
	}
	return entries, err
}

// loadAverage is that of the last minute.
func loadAverage() (load float64) {
	text, _ := os.ReadFile("/proc/loadavg")
	_, _ = fmt.Sscan(string(text), &load)
	return load
}

// memoryOf is how much memory of a process is resident, and how much of that is anonymous, in MiB.
func memoryOf(pid int) (resident, anonymous float64, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0, err
	}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(line, ":")
		var kib float64
		if _, err := fmt.Sscan(value, &kib); err != nil {
			continue
		}
		switch name {
		case "VmRSS":
			resident = kib / 1024
		case "RssAnon":
			anonymous = kib / 1024
		}
	}
	return resident, anonymous, nil
}
