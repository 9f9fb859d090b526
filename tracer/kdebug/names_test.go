package kdebug

import (
	"fmt"
	"slices"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// A file that was mapped before the recording is looked up by nobody: its page-ins
// have a name because the kernel was asked for the paths of all vnodes. A vnode
// that turns up under another path is another file.
func TestFilesMappedBeforeHaveNames(t *testing.T) {
	pageIn := func(k *fakeKernel, thread, vnode uint64) {
		k.log(Record{DebugID: GroupDisk | (DiskRead|DiskPaging)<<2, Thread: thread,
			Arg: [4]uint64{0xb0f, 1<<24 | 5, 7, 16384}})
		k.log(Record{DebugID: GroupDisk | (DiskRead|DiskPaging|DiskDone)<<2, Thread: 3, Arg: [4]uint64{0xb0f, vnode}})
	}
	paths := func(noPaths bool) (got []string) {
		k := newFake(t)
		k.noPaths = noPaths
		s, _ := fakeSource(k)
		log := record(t, k, s, 3, func(i int) {
			if i != 1 {
				return
			}
			pageIn(k, 9000, 0xf000)
			pageIn(k, 12345, 0xf100) // another process's: none of ours has that file
			for _, r := range LookupRecords(Record{Thread: 12345}, "/another") {
				r.Arg[0] = 0xf100
				k.log(r)
			}
			pageIn(k, 9000, 0xf100)
			pageIn(k, 9000, 0xf200)
		})
		for _, q := range log.Requests {
			got = append(got, fmt.Sprintf("%s foreign %t", log.Path(q.File), q.Flags&trace.ReqForeign != 0))
		}
		return got
	}
	want := []string{"/Library/Application Support/mapped before the recording.dat foreign false", " foreign true",
		" foreign false", " foreign false"}
	if got := paths(false); !slices.Equal(got, want) {
		t.Errorf("requests of %q, want %q", got, want)
	}
	want[0] = " foreign false"
	if got := paths(true); !slices.Equal(got, want) {
		t.Errorf("on a kernel without them: requests of %q, want %q", got, want)
	}
}
