package macos

// Model is a kind of Mac: the release kernels of the two do not log the same.
type Model uint8

// The kinds of Mac. Release kernels for Apple silicon are built without the
// trace points that are declared with KERNEL_DEBUG_CONSTANT (ist_kdebug in
// config/MASTER.arm64.MacOSX); those declared with KDBG_RELEASE and
// KERNEL_DEBUG_CONSTANT_IST stay. Missing are the records with the second half
// of the arguments of mmap, pread and pwrite, and those of ioctls on disks.
const (
	Intel Model = iota
	AppleSilicon
)

func (m Model) String() string {
	if m == AppleSilicon {
		return "Apple silicon"
	}
	return "Intel"
}
