package usage

import "strconv"

// failures counts what ended with an error: calls, or requests of a device.
type failures struct {
	count int64
	errno map[int64]int64
}

// maxErrnos bounds the error numbers that are told apart.
const maxErrnos = 64

func (f *failures) add(errno int64) {
	if errno == 0 {
		return
	}
	f.count++
	if f.errno == nil {
		f.errno = map[int64]int64{}
	}
	if len(f.errno) < maxErrnos || f.errno[errno] > 0 {
		f.errno[errno]++
	}
}

// numbers is the count per error number, as the profile has it.
func (f *failures) numbers() map[string]int64 {
	if f.count == 0 {
		return nil
	}
	m := map[string]int64{}
	for n, count := range f.errno {
		m[strconv.FormatInt(n, 10)] = count
	}
	return m
}
