package tracer

import (
	"os"
	"syscall"
	"time"

	"github.com/iotrace/iotrace/trace"
)

// statusLater is how much later the status of a file has to be changed than its contents: whoever writes a file, and
// names it or gives it away at once, changes both at a time.
const statusLater = time.Second

// look lists the files that nobody wrote and whose status was changed later than their contents.
func (s *sampler) look(files []UsedFile) {
	since := func(t time.Time) int64 { return min(t.Sub(s.start), time.Since(s.start)).Nanoseconds() }
	for i := range files {
		f := &files[i]
		if f.Written || len(s.touched) >= trace.MaxTouched {
			continue
		}
		if !time.Now().Before(s.until) {
			return
		}
		info, err := os.Lstat(f.Path)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		st, ok := info.Sys().(*syscall.Stat_t)
		if !ok || uint64(st.Ino) != f.Inode {
			continue
		}
		if changed := statusChange(st); changed.Sub(info.ModTime()) > statusLater {
			s.touched = append(s.touched, trace.Touched{File: f.ID, Modified: since(info.ModTime()), Changed: since(changed)})
		}
	}
}
