package trace

import (
	"fmt"
	"slices"
)

// File is the identity of a file that some event refers to. It precedes, in
// the stream, every event that uses its ID or follows within the same batch.
type File struct {
	Time int64  `name:"time" unit:"ns" column:"1 previous"`            // in ns since the start of the recording
	ID   FileID `name:"file" is:"number" omit:"0" column:"2 previous"` // what other events refer to
	// Path has its bytes as the kernel has them: may hold newlines and invalid UTF-8.
	Path   string   `name:"path" omit:"" with:"path_bytes" column:"3"`
	Device DeviceID `name:"device" column:"4"`                  // of its file system
	Inode  uint64   `name:"inode" none:"0" column:"5 previous"` // 0 if the path did not resolve to a file
	Size   int64    `name:"size" unit:"bytes" column:"6"`       // in bytes, when first seen
	Type   FileType `name:"type" column:"7"`                    // what it is
	// FSType is the type of its file system.
	FSType string    `name:"fs_type" omit:"" table:",dict" column:"8"`
	Mount  string    `name:"mount" omit:"" table:",dict" column:"9"` // mount point
	Flags  FileFlags `name:"flags" column:"10"`                      // of the identity
	// Host is its path as the recorder would call it, where Path is that of a container; "" if no mount of the recorder's
	// shows it. Of an overlay that none shows it is the file that holds the data, which lies in a layer.
	Host string `name:"host_path" omit:"" column:"11"`
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
	FileElsewhere                         // Path is that of another mount namespace; the recorder's own is Host
)

// Device is the identity of a block device.
type Device struct {
	Time int64    `name:"time" unit:"ns" column:"1 previous"`   // in ns since the start of the recording
	ID   DeviceID `name:"device" with:"major minor" column:"2"` // major * 2^20 + minor
	Name string   `name:"name" column:"3"`                      // as in /dev
	// Model is what the drive calls itself, "" if not known.
	Model     string `name:"model" omit:"" column:"4"`
	Scheduler string `name:"scheduler" omit:"" column:"5"` // I/O scheduler of its queue
	// Rotational is true of a disk that turns; the limits of the queue below are as the kernel states them.
	Rotational    bool  `name:"rotational" column:"6"`
	LogicalBlock  int64 `name:"logical_block" unit:"bytes" column:"7"`  // in bytes
	PhysicalBlock int64 `name:"physical_block" unit:"bytes" column:"8"` // in bytes
	MaxRequest    int64 `name:"max_request" unit:"bytes" column:"9"`    // in bytes, max_sectors_kb
	ReadAhead     int64 `name:"read_ahead" unit:"bytes" column:"10"`    // in bytes, read_ahead_kb
	QueueDepth    int64 `name:"queue_depth" column:"11"`                // nr_requests
	Size          int64 `name:"size" unit:"bytes" column:"12"`          // in bytes
	// Parents are the devices this one is built on: disk of a partition, members of md or dm.
	Parents []DeviceID `name:"parents" column:"13"`
	Backing string     `name:"backing" omit:"" column:"14"` // backing file of a loop device
	// WriteCache is "write back", "write through" or "" if not known.
	WriteCache string `name:"write_cache" omit:"" column:"15"`
	// Firmware is the revision of the drive's firmware, "" if not known.
	Firmware string `name:"firmware" omit:"" column:"16"`
	// BackingDirect is true of a loop device that passes the page cache by where it reads and writes its file.
	BackingDirect bool `name:"backing_direct" omit:"0" column:"17"`
	// HardwareRequest is what MaxRequest may be raised to, max_hw_sectors_kb; 0 if not known.
	HardwareRequest int64 `name:"hardware_request" omit:"0" unit:"bytes" column:"18"`
}

// Impossible says what about the event cannot be, "" if it is plausible.
func (d *Device) Impossible() string {
	switch {
	case !Within(MaxTime, d.Time):
		return fmt.Sprintf("its time is %d ns", d.Time)
	case !Within(1<<48-1, d.LogicalBlock, d.PhysicalBlock, d.MaxRequest, d.ReadAhead, d.QueueDepth,
		d.HardwareRequest):
		return fmt.Sprintf("limits of %d, %d, %d, %d, %d and %d",
			d.LogicalBlock, d.PhysicalBlock, d.MaxRequest, d.ReadAhead, d.QueueDepth, d.HardwareRequest)
	case d.Size < 0:
		return fmt.Sprintf("a device of %d bytes", d.Size)
	}
	return ""
}
