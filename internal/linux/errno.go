package linux

import "strings"

// errnos are the error numbers of Linux by name (errno-base.h, errno.h).
var errnos = map[string]int64{"ENODATA": 61, "EPROTO": 71, "EOVERFLOW": 75, "ENOTSOCK": 88, "EPROTONOSUPPORT": 93,
	"EOPNOTSUPP": 95,
	"ENOTSUP":    95, "EAFNOSUPPORT": 97, "EADDRINUSE": 98, "ENETUNREACH": 101, "ECONNRESET": 104, "EISCONN": 106,
	"ENOTCONN":  107,
	"ETIMEDOUT": 110, "ECONNREFUSED": 111, "EALREADY": 114, "EINPROGRESS": 115, "ESTALE": 116, "EDQUOT": 122,
	"ECANCELED":   125,
	"ERESTARTSYS": 512, "ERESTARTNOINTR": 513, "ERESTARTNOHAND": 514, "ERESTART_RESTARTBLOCK": 516}

func init() {
	for i, name := range strings.Fields(
		`EPERM ENOENT ESRCH EINTR EIO ENXIO E2BIG ENOEXEC EBADF ECHILD EAGAIN ENOMEM EACCES EFAULT
		ENOTBLK EBUSY EEXIST EXDEV ENODEV ENOTDIR EISDIR EINVAL ENFILE EMFILE ENOTTY ETXTBSY EFBIG ENOSPC ESPIPE
		EROFS EMLINK EPIPE
		EDOM ERANGE EDEADLK ENAMETOOLONG ENOLCK ENOSYS ENOTEMPTY ELOOP`) {
		errnos[name] = int64(i + 1)
	}
}

// Errno is the number of an error by its name; a name that is not known gives
// the last number there is.
func Errno(name string) int64 {
	if n, ok := errnos[name]; ok {
		return n
	}
	return 4095
}
