package analyzer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/trace"
)

// maxFiles bounds the files that are told apart; what the others do is counted
// under one heading.
var maxFiles = 200_000

// maxTreeRenames bounds how many renamed directories have the names of what
// lies below them corrected.
const maxTreeRenames = 1000

// file is one inode: every name and every number the trace has for it.
type file struct {
	path     string   // its last name
	names    []string // earlier and further names, at most 8
	device   trace.DeviceID
	inode    uint64 // 0: only the name is known
	size     int64
	kind     trace.FileType
	fsType   string
	mount    string
	links    int  // further names that were made by link
	nameless bool // made without a name
	created  bool // made or emptied by the workload
	deleted  bool // lost its last name
	holds    bool // see data
	other    bool // stands for all files beyond maxFiles

	seenAt uint64 // bit i: a request for it was seen at device i
	top    *device
	weight int64 // bytes moved, at any layer
	events int64
	listed bool
	number int // by rank, from 1 on; 0 stands for all files beyond maxFiles
}

// data reports whether the file holds data that lies on a device, as far as is
// known: pipes, sockets, terminals and what the kernel makes up do not.
func (f *file) data() bool { return f.holds }

func (f *file) judge() {
	switch f.kind {
	case trace.FileBlock: // its node is in a file system that the kernel makes up
		f.holds = !f.other
	case trace.FileRegular, trace.FileUnknown:
		f.holds = !f.other && !pseudo[f.fsType]
	default:
		f.holds = false
	}
}

// stream reports whether bytes written to the file come out of it in order.
func (f *file) stream() bool { return f.kind == trace.FilePipe || f.kind == trace.FileSocket }

// pseudo are file systems whose files are made up by the kernel.
var pseudo = map[string]bool{
	"proc": true, "sysfs": true, "cgroup": true, "cgroup2": true, "debugfs": true, "tracefs": true, "devpts": true,
	"securityfs": true, "bpf": true, "configfs": true, "pstore": true, "efivarfs": true, "mqueue": true,
	"selinuxfs": true, "binfmt_misc": true, "nsfs": true, "pipefs": true, "sockfs": true, "anon_inodefs": true,
	"devtmpfs": true, "devfs": true,
}

type inode struct {
	device trace.DeviceID
	number uint64
	kind   trace.FileType
}

// identities knows which numbers of the trace mean the same file, and how files
// were called in the end. It is fed once, in the first reading.
type identities struct {
	all      []*file
	byID     []binding // by FileID
	byInode  map[inode]*file
	byPath   map[string]*file
	rest     *file // beyond maxFiles
	omitted  int64 // files in rest
	renames  []renamed
	trees    int
	nameless map[descriptor]*file // open
	repeats  int                  // identities that were given twice, differently
}

// binding is what one number of the trace stands for.
type binding struct {
	file *file
	path string // as it was when the number was given
}

// renamed is a file that got another name, or a further one.
type renamed struct {
	file     *file
	from, to string
	call     trace.Syscall
	fresh    bool // the workload had made the file itself
}

const maxRenames = 100_000

func newIdentities() *identities {
	return &identities{
		nameless: map[descriptor]*file{}, byInode: map[inode]*file{}, byPath: map[string]*file{},
		rest: &file{path: "(other files)", other: true, listed: true},
	}
}

// maxID bounds the table of numbers; a recording gives them in sequence.
const maxID = 1 << 22

// file is the file with a number; nil for 0 and for numbers that were never given.
func (t *identities) file(id trace.FileID) *file {
	if int(id) < len(t.byID) {
		return t.byID[id].file
	}
	if id >= maxID {
		return t.rest
	}
	return nil
}

func (t *identities) path(id trace.FileID) string {
	if int(id) < len(t.byID) {
		return t.byID[id].path
	}
	return ""
}

// batch takes the identities of a batch and the calls in it that change names,
// in the order in which they happened.
func (t *identities) batch(b *trace.Batch) {
	next := 0
	for i := range b.Syscalls {
		c := &b.Syscalls[i]
		if !renames(c) {
			continue
		}
		for next < len(b.Files) && b.Files[next].Time <= c.End() {
			t.bind(&b.Files[next])
			next++
		}
		t.early(b.Files[next:], c.File)
		t.early(b.Files[next:], c.File2)
		t.name(c)
	}
	for ; next < len(b.Files); next++ {
		t.bind(&b.Files[next])
	}
}

// early binds a number whose identity comes later in the batch than its use.
func (t *identities) early(files []trace.File, id trace.FileID) {
	if id == 0 || t.file(id) != nil {
		return
	}
	for i := range files {
		if files[i].ID == id {
			t.bind(&files[i])
			return
		}
	}
}

// renames reports whether a call has changed names, or made or emptied a file.
func renames(c *trace.Syscall) bool {
	switch c.Op {
	case trace.OpRename, trace.OpUnlink, trace.OpLink, trace.OpMkdir:
		return c.Result == 0
	case trace.OpOpen:
		return c.Result >= 0 && c.Flags&(trace.FlagCreate|trace.FlagTrunc|trace.FlagWrite) != 0
	}
	return false
}

// bind gives a number its meaning.
func (t *identities) bind(e *trace.File) {
	if e.ID == 0 || e.ID >= maxID {
		return
	}
	if n := int(e.ID) + 1; n > len(t.byID) {
		t.byID = append(t.byID, make([]binding, n-len(t.byID))...)
	}
	if old := t.byID[e.ID]; old.file != nil {
		if old.path != e.Path && old.file.path != e.Path {
			t.repeats++
		}
		return
	}
	f := t.find(e)
	t.byID[e.ID] = binding{f, e.Path}
	if f.other {
		return
	}
	f.learn(e)
	if e.Flags&(trace.FileDeleted|trace.FileUnlinked) == 0 {
		t.byPath[e.Path] = f
	}
}

// find returns the file an identity belongs to, a new one if need be.
func (t *identities) find(e *trace.File) *file {
	key := inode{e.Device, e.Inode, e.Type}
	known := t.byPath[e.Path]
	if e.Inode == 0 {
		if known != nil {
			return known
		}
	} else if f := t.byInode[key]; f != nil && !(f.deleted && e.Flags&trace.FileDeleted == 0) {
		return f // unless the number was used again after the file had gone
	} else if known != nil && known.inode == 0 {
		t.byInode[key] = known
		return known
	}
	if len(t.all) >= maxFiles {
		t.omitted++
		return t.rest
	}
	f := &file{path: e.Path}
	t.all = append(t.all, f)
	if e.Inode != 0 {
		t.byInode[key] = f
	}
	return f
}

func (f *file) learn(e *trace.File) {
	if e.Inode != 0 {
		f.device, f.inode, f.kind, f.size = e.Device, e.Inode, e.Type, e.Size
	}
	if e.FSType != "" {
		f.fsType, f.mount = e.FSType, e.Mount
	}
	f.judge()
	if e.Flags&(trace.FileDeleted|trace.FileUnlinked) != 0 {
		f.deleted = true
		f.nameless = f.nameless || e.Flags&trace.FileUnlinked != 0
	} else if e.Flags&trace.FileTruncated == 0 || f.path == "" {
		f.call(e.Path)
	}
}

// call gives the file a new last name.
func (f *file) call(path string) {
	if path == f.path {
		return
	}
	f.also(f.path)
	f.path = path
}

// also notes a further name.
func (f *file) also(path string) {
	if path != "" && len(f.names) < 8 && !slices.Contains(f.names, path) {
		f.names = append(f.names, path)
	}
}

// rank numbers the files, and chooses those that are listed: those with most
// bytes, then those with most events.
func (t *identities) rank(n int) {
	slices.SortStableFunc(t.all, func(a, b *file) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(b.events, a.events), strings.Compare(a.path, b.path))
	})
	for i, f := range t.all {
		f.listed, f.number = i < n && f.events > 0, i+1
	}
}

// inMemory are file systems whose files never reach a device.
var inMemory = map[string]bool{"tmpfs": true, "ramfs": true, "hugetlbfs": true}

// unknown reports whether the size of a file is not known: nobody asked the
// system about it, and no call told.
func (f *file) unknown() bool { return f.size <= 0 && f.inode == 0 }

// hadName reports whether a file is or was called so.
func (f *file) hadName(name string) bool { return f.path == name || slices.Contains(f.names, name) }
