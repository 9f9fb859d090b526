package usage

import "strconv"

// failures counts the requests of a device that ended with an error.
type failures struct {
	count int64
	errno map[int32]int64
}

// maxErrnos bounds the error numbers that are told apart.
const maxErrnos = 64

func (f *failures) add(errno int32) {
	if errno == 0 {
		return
	}
	f.count++
	if f.errno == nil {
		f.errno = map[int32]int64{}
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
		m[strconv.Itoa(int(n))] = count
	}
	return m
}
