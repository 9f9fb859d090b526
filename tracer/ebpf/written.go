//go:build linux

package ebpf

import (
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// wrote notes that a recorded process changed the data of a file.
func (t *fileTable) wrote(id trace.FileID, pid uint32) {
	s := t.at(id)
	if s == nil || s.writer == pid && s.dirtied {
		return
	}
	t.mu.Lock()
	s.used, s.dirtied = true, true
	s.shared = s.shared || s.writer != 0 && s.writer != pid
	s.writer = pid
	t.mu.Unlock()
}

func (t *fileTable) touched(id trace.FileID) {
	if s := t.at(id); s != nil {
		s.used = true
	}
}

// latest is the state of a regular file with a name if this ID is its latest,
// else nil. It does not count as asking.
func (t *fileTable) latest(id trace.FileID) *fileState {
	s := t.states.find(uint32(id))
	if s == nil || s.value.first == 0 {
		return nil
	}
	if first := t.states.find(uint32(s.value.first)); first != nil {
		s = first
	}
	if s.value.latest != id || !s.value.regular || s.value.deleted {
		return nil
	}
	return &s.value
}

// forget is told of names that fall out of the table. For files that may not be
// on their devices yet it keeps the file systems.
func (t *fileTable) forget(names map[trace.FileID]identity) {
	for id, name := range names {
		if s := t.latest(id); s != nil && s.dirtied {
			t.unsynced[name.node.device] = name.path
		}
	}
}

// written lists regular files with a name that recorded processes wrote. A file
// system that has more of them than are known is listed by a path without an
// inode.
func (t *fileTable) written() []tracer.WrittenFile {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []tracer.WrittenFile
	t.each(func(_ trace.FileID, name identity, s *fileState) {
		if s.dirtied {
			list = append(list, tracer.WrittenFile{Path: name.path, Device: name.node.device, Inode: name.node.inode})
		}
	})
	for device, path := range t.unsynced {
		list = append(list, tracer.WrittenFile{Path: path, Device: device})
	}
	return list
}

// everUsed lists regular files with a name that recorded processes used, as far
// as they are known.
func (t *fileTable) everUsed() []tracer.UsedFile {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []tracer.UsedFile
	t.each(func(id trace.FileID, name identity, s *fileState) {
		if s.used && !s.own {
			list = append(list, tracer.UsedFile{
				ID: id, Path: t.place(name), Inode: name.node.inode, Size: name.size, Written: s.dirtied,
			})
		}
	})
	return list
}

// each visits the regular files with a name that are known, each once.
func (t *fileTable) each(visit func(trace.FileID, identity, *fileState)) {
	for i, names := range []map[trace.FileID]identity{t.names.young, t.names.old} {
		for id, name := range names {
			if _, again := t.names.young[id]; again && i > 0 {
				continue
			}
			if s := t.latest(id); s != nil {
				visit(id, name, s)
			}
		}
	}
}
