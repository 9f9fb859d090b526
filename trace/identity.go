package trace

import (
	"fmt"
	"slices"
)

// File is the identity of a file that some event refers to. It precedes, in
// the stream, every event that uses its ID or follows within the same batch.
type File struct {
	Time   int64
	ID     FileID
	Path   string   // bytes as the kernel has them: may hold newlines and invalid UTF-8
	Device DeviceID // of its file system
	Inode  uint64   // 0 if the path did not resolve to a file
	Size   int64    // when first seen
	Type   FileType
	FSType string
	Mount  string // mount point
	Flags  FileFlags
}

// Unnamed begins the path of a file that was opened by a name that is not known: "open:[7]" is the seventh opening
// of a trace.
const Unnamed = "open:"

// Impossible says what about the event cannot be, "" if it is plausible.
func (f *File) Impossible() string {
	switch {
	case !Within(MaxTime, f.Time):
		return fmt.Sprintf("its time is %d ns", f.Time)
	case f.Size < 0:
		return fmt.Sprintf("a file of %d bytes", f.Size)
	}
	return ""
}

// FileType is the type of a file.
type FileType uint8

// The file types.
const (
	FileUnknown FileType = iota
	FileRegular
	FileDirectory
	FileSymlink
	FilePipe
	FileSocket
	FileBlock
	FileChar
	FileAnon // anonymous inode: eventfd, epoll, io_uring …
)

var fileTypeNames = [...]string{"unknown", "file", "directory", "symlink", "pipe", "socket", "block", "char", "anon"}

// MarshalText gives the name.
func (t FileType) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText takes the name of a type.
func (t *FileType) UnmarshalText(name []byte) error {
	i := slices.Index(fileTypeNames[:], string(name))
	if i < 0 {
		return fmt.Errorf("no type of file is called %q", name)
	}
	*t = FileType(i)
	return nil
}

func (t FileType) String() string {
	if int(t) < len(fileTypeNames) {
		return fileTypeNames[t]
	}
	return "unknown"
}

// FileFlags qualify the identity of a file.
type FileFlags uint8

// The file flags.
const (
	FileDeleted     FileFlags = 1 << iota // no longer had a name when it was seen
	FileTruncated                         // the path was longer than could be recorded; its beginning is missing
	FileUnlinked                          // never had a name (O_TMPFILE, memfd)
	FileSynchronous                       // each write returns when its data is safe: mount -o sync, chattr +S
)

// Device is the identity of a block device.
type Device struct {
	Time       int64
	ID         DeviceID
	Name       string // as in /dev
	Model      string
	Scheduler  string
	Rotational bool
	// Queue limits as the kernel states them.
	LogicalBlock  int64      // bytes
	PhysicalBlock int64      // bytes
	MaxRequest    int64      // bytes, max_sectors_kb
	ReadAhead     int64      // bytes, read_ahead_kb
	QueueDepth    int64      // nr_requests
	Size          int64      // bytes
	Parents       []DeviceID // devices this one is built on: disk of a partition, members of md or dm
	Backing       string     // backing file of a loop device
	WriteCache    string     // "write back", "write through" or "" if not known
	Firmware      string     // revision of the drive's firmware, "" if not known
}

// Impossible says what about the event cannot be, "" if it is plausible.
func (d *Device) Impossible() string {
	switch {
	case !Within(MaxTime, d.Time):
		return fmt.Sprintf("its time is %d ns", d.Time)
	case !Within(1<<48-1, d.LogicalBlock, d.PhysicalBlock, d.MaxRequest, d.ReadAhead, d.QueueDepth):
		return fmt.Sprintf("limits of %d, %d, %d, %d and %d",
			d.LogicalBlock, d.PhysicalBlock, d.MaxRequest, d.ReadAhead, d.QueueDepth)
	case d.Size < 0:
		return fmt.Sprintf("a device of %d bytes", d.Size)
	}
	return ""
}
