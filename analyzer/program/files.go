package program

import "github.com/iotrace/iotrace/trace"

// Files are the files of a recording: one for each inode, whatever its numbers and names. F is what is kept of a file.
type Files[F any] struct {
	make    func(*trace.File) *F
	byID    map[trace.FileID]*F
	byInode map[inode]*F
}

// inode is what a file is known by: it keeps its inode when it is renamed.
type inode struct {
	device trace.DeviceID
	number uint64
	kind   trace.FileType
	id     trace.FileID // of a file whose inode is not known
}

// NewFiles knows no file yet. make is asked once for each inode, and gives nil where a file is of no use.
func NewFiles[F any](make func(*trace.File) *F) Files[F] {
	return Files[F]{make, map[trace.FileID]*F{}, map[inode]*F{}}
}

// Learn takes in what files there are.
func (f *Files[F]) Learn(b *trace.Batch) {
	for i := range b.Files {
		e := b.Files[i]
		key := inode{device: e.Device, number: e.Inode, kind: e.Type}
		if e.Inode == 0 {
			key = inode{id: e.ID}
		}
		x, known := f.byInode[key]
		if !known {
			x = f.make(&e)
			f.byInode[key] = x
		}
		f.byID[e.ID] = x
	}
}

// Of is the file of a number, nil if there is none.
func (f *Files[F]) Of(id trace.FileID) *F { return f.byID[id] }
