// Package world identifies what a trace is about: files by all their names and
// numbers, processes, block devices. It resolves each event once, to the ones
// it is about.
package world

import (
	"cmp"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/trace"
)

// maxFiles is how many files are told apart by default.
const maxFiles = 200_000

// maxTreeRenames bounds how many renamed directories have the names of what
// lies below them corrected.
const maxTreeRenames = 1000

// File is one inode: every name and every number the trace has for it.
type File struct {
	Path     string   // its last name
	Names    []string // earlier and further names, at most 8
	Device   trace.DeviceID
	Inode    uint64 // 0: only the name is known
	Size     int64
	Kind     trace.FileType
	FSType   string
	Mount    string
	Host     string // where it lies for the recorder, if Elsewhere; "" if that is not known
	links    int    // further names that were made by link
	nameless bool   // made without a name
	Created  bool   // made or emptied by the workload
	Deleted  bool   // lost its last name
	// StatusLater says that its status was changed after its contents, before the recording.
	StatusLater bool
	Synced      bool // writes return when their data is safe, however it was opened
	holds       bool // see Data
	Elsewhere   bool // its name is that of a container
	Other       bool // stands for all files beyond Files.Max

	Backing bool   // a device was built on it
	SeenAt  uint64 // bit i: a request for it was seen at device i
	Stored  int64  // when the last of its data was written there, that others wrote left out; 0: nothing was
	Top     *Device
	Weight  int64 // bytes moved, at any layer
	Events  int64
	Listed  bool
	Number  int // by rank, from 1 on; 0 stands for all files beyond Files.Max

	Peer     string // of a socket, the address that it was connected to, "" if not known
	Accepted bool   // it is a socket that was accepted: its program waits to be asked
	Side     Side   // of a socket, in the conversation
	HeardAt  int64  // when somebody at the other end of the socket was heard first, 0: never
	SaidAt   int64  // when the program spoke first there, likewise

	spoke role  // of a socket, on its side
	heard int64 // when it first was spoken to
}

// Side is who asks and who answers in a conversation, on the side of the recorded program.
type Side uint8

// The sides of a conversation.
const (
	NoSide  Side = iota
	Answers      // it is asked there
	Asks         // it asks
)

// role is what was seen of a socket's side of a conversation.
type role uint8

const (
	silent  role = iota
	heard        // it read first
	answers      // and has written since: a server
	asks         // it wrote first: a client
)

// Data reports whether the file holds data that lies on a device, as far as is
// known: pipes, sockets, terminals and what the kernel makes up do not.
func (f *File) Data() bool { return f.holds }

func (f *File) judge() { f.holds = !f.Other && HoldsData(f.Kind, f.FSType) }

// HoldsData reports whether files of a type in a type of file system hold data that lies on a device.
func HoldsData(kind trace.FileType, fsType string) bool {
	switch kind {
	case trace.FileBlock: // its node is in a file system that the kernel makes up
		return true
	case trace.FileRegular, trace.FileUnknown:
		return !pseudo[fsType]
	}
	return false
}

// Stream reports whether bytes written to the file come out of it in order.
func (f *File) Stream() bool { return f.Kind == trace.FilePipe || f.Kind == trace.FileSocket }

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

// Files knows which numbers of the trace mean the same file, and how files
// were called in the end. It is fed once, in the first reading.
type Files struct {
	Max      int // how many are told apart; what the others do is counted under one heading
	All      []*File
	byID     []binding // by FileID
	byInode  map[inode]*File
	ByPath   map[string]*File
	Rest     *File // beyond Max
	Omitted  int64 // files in Rest
	Renames  []renamed
	trees    int
	nameless map[descriptor]*File // open
	Repeats  int                  // identities that were given twice, differently
}

// binding is what one number of the trace stands for.
type binding struct {
	file *File
	path string // as it was when the number was given
}

// renamed is a file that got another name, or a further one.
type renamed struct {
	File     *File
	From, To string
	Call     trace.Syscall
	Fresh    bool // the workload had made the file itself
}

const maxRenames = 100_000

func NewFiles() *Files {
	return &Files{
		Max: maxFiles, nameless: map[descriptor]*File{}, byInode: map[inode]*File{}, ByPath: map[string]*File{},
		Rest: &File{Path: "(other files)", Other: true, Listed: true},
	}
}

// maxID bounds the table of numbers; a recording gives them in sequence.
const maxID = 1 << 22

// File is the file with a number; nil for 0 and for numbers that were never given.
func (t *Files) File(id trace.FileID) *File {
	if int(id) < len(t.byID) {
		return t.byID[id].file
	}
	if id >= maxID {
		return t.Rest
	}
	return nil
}

func (t *Files) path(id trace.FileID) string {
	if int(id) < len(t.byID) {
		return t.byID[id].path
	}
	return ""
}

// bind gives a number its meaning.
func (t *Files) bind(e *trace.File) {
	if e.ID == 0 || e.ID >= maxID {
		return
	}
	if n := int(e.ID) + 1; n > len(t.byID) {
		t.byID = append(t.byID, make([]binding, n-len(t.byID))...)
	}
	if old := t.byID[e.ID]; old.file != nil {
		if old.path != e.Path && old.file.Path != e.Path {
			t.Repeats++
		}
		return
	}
	f := t.find(e)
	t.byID[e.ID] = binding{f, e.Path}
	if f.Other {
		return
	}
	f.learn(e)
	if e.Flags&(trace.FileDeleted|trace.FileUnlinked) == 0 {
		t.ByPath[e.Path] = f
	}
}

// find returns the file an identity belongs to, a new one if need be.
func (t *Files) find(e *trace.File) *File {
	key := inode{e.Device, e.Inode, e.Type}
	known := t.ByPath[e.Path]
	if e.Inode == 0 || e.Type == trace.FileAnon { // eventfd, timerfd and their kind share one inode
		if known != nil {
			return known
		}
	} else if f := t.byInode[key]; f != nil && !(f.Deleted && e.Flags&trace.FileDeleted == 0) {
		return f // unless the number was used again after the file had gone
	} else if known != nil && known.Inode == 0 {
		t.byInode[key] = known
		return known
	}
	if len(t.All) >= t.Max {
		t.Omitted++
		return t.Rest
	}
	f := &File{Path: e.Path}
	t.All = append(t.All, f)
	if e.Inode != 0 && e.Type != trace.FileAnon {
		t.byInode[key] = f
	}
	return f
}

func (f *File) learn(e *trace.File) {
	if e.Inode != 0 {
		f.Device, f.Inode, f.Kind, f.Size = e.Device, e.Inode, e.Type, e.Size
	} else if f.Inode == 0 && e.Type != trace.FileUnknown {
		f.Kind = e.Type
	}
	if e.FSType != "" {
		f.FSType, f.Mount = e.FSType, e.Mount
	}
	f.Synced = f.Synced || e.Flags&trace.FileSynchronous != 0
	f.judge()
	if e.Flags&(trace.FileDeleted|trace.FileUnlinked) != 0 {
		f.Deleted = true
		f.nameless = f.nameless || e.Flags&trace.FileUnlinked != 0
	} else if e.Flags&trace.FileTruncated == 0 || f.Path == "" {
		f.call(e.Path)
		f.Elsewhere, f.Host = e.Flags&trace.FileElsewhere != 0, e.Host
	}
}

// call gives the file a new last name.
func (f *File) call(path string) {
	if path == f.Path {
		return
	}
	f.also(f.Path)
	f.Path = path
}

// also notes a further name.
func (f *File) also(path string) {
	if path != "" && len(f.Names) < 8 && !slices.Contains(f.Names, path) {
		f.Names = append(f.Names, path)
	}
}

// Rank numbers the files, and chooses those that are listed: those with most bytes, then those with most events. A
// tenth of the places is for what has more events than other files with so few bytes, such as a directory that is
// listed again and again.
func (t *Files) Rank(n int) {
	byWeight := func(a, b *File) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(b.Events, a.Events), strings.Compare(a.Path, b.Path))
	}
	slices.SortStableFunc(t.All, byWeight)
	if len(t.All) > n {
		busiestFirst(t.All[n-n/10:], n/10)
		slices.SortStableFunc(t.All[:n], byWeight)
	}
	for i, f := range t.All {
		f.Listed, f.Number = i < n && f.Events > 0, i+1
	}
}

// busiestFirst moves the n files with most events to the front. The others keep their order.
func busiestFirst(files []*File, n int) {
	list := slices.Clone(files)
	slices.SortStableFunc(list, func(a, b *File) int { return cmp.Compare(b.Events, a.Events) })
	list = list[:n]
	busy := make(map[*File]bool, n)
	for _, f := range list {
		busy[f] = true
	}
	for _, f := range files {
		if !busy[f] {
			list = append(list, f)
		}
	}
	copy(files, list)
}

// Unknown reports whether the size of a file is not known: nobody asked the
// system about it, and no call told.
func (f *File) Unknown() bool { return f.Size <= 0 && f.Inode == 0 }

// HadName reports whether a file is or was called so.
func (f *File) HadName(name string) bool { return f.Path == name || slices.Contains(f.Names, name) }
