package trace

// Errno is the number of an error as Linux has it, on every system. From 1000 on it is a number of macOS that
// Linux lacks.
type Errno int64

// Errors that more than one package asks for.
const (
	ErrNoEntry     Errno = 2   // ENOENT
	ErrIO          Errno = 5   // EIO
	ErrNotOpen     Errno = 9   // EBADF
	ErrAgain       Errno = 11  // EAGAIN
	ErrAccess      Errno = 13  // EACCES
	ErrExists      Errno = 17  // EEXIST
	ErrCrossDevice Errno = 18  // EXDEV
	ErrNoSpace     Errno = 28  // ENOSPC
	ErrReadOnly    Errno = 30  // EROFS
	ErrConnected   Errno = 106 // EISCONN
	ErrRefused     Errno = 111 // ECONNREFUSED
	ErrAlready     Errno = 114 // EALREADY
	ErrInProgress  Errno = 115 // EINPROGRESS
	ErrQuota       Errno = 122 // EDQUOT
)
