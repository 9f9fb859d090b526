package profile

// Method is how the data of one file became that of another.
type Method string

// The methods.
const (
	ByReadWrite     Method = "read_write"
	ByPositioned    Method = "pread_pwrite"
	ByCopyFileRange Method = "copy_file_range"
	BySendfile      Method = "sendfile"
	BySplice        Method = "splice"
	ByMapping       Method = "mmap"
	ByUring         Method = "io_uring"
	ByLibaio        Method = "libaio"
	ByReflink       Method = "reflink"
	ByClonefile     Method = "clonefile" // of macOS
	ByRename        Method = "rename"
	ByHardLink      Method = "hardlink"
)

// Clones reports whether both files share their data afterwards.
func (m Method) Clones() bool { return m == ByReflink || m == ByClonefile }

// Names reports whether the file only got another name.
func (m Method) Names() bool { return m == ByRename || m == ByHardLink }

// Moves reports whether data was moved, so that a speed means something.
func (m Method) Moves() bool { return !m.Clones() && !m.Names() }

// Loops reports whether a program read into memory of its own and wrote from there, call by call.
func (m Method) Loops() bool { return m == ByReadWrite || m == ByPositioned }
