package usage

import "github.com/iotrace/iotrace/trace"

// failures counts what ended with an error: calls, or requests of a device.
type failures struct {
	count int64
	errno map[trace.Errno]int64
}

// maxErrnos bounds the error numbers that are told apart.
const maxErrnos = 64

func (f *failures) add(errno trace.Errno) {
	if errno == 0 {
		return
	}
	f.count++
	if f.errno == nil {
		f.errno = map[trace.Errno]int64{}
	}
	if len(f.errno) < maxErrnos || f.errno[errno] > 0 {
		f.errno[errno]++
	}
}
