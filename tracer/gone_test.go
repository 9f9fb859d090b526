package tracer

import (
	"slices"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// forgetful is a sink that is told of files that are gone.
type forgetful struct {
	*trace.Log
	gone []trace.FileID
}

func (f *forgetful) Gone(files []trace.FileID) { f.gone = append(f.gone, files...) }

// However many files come and go, sinks on the way remember those that are there, whoever uses them, and the last sink
// is told of each that is gone.
func TestSinksForgetFilesThatAreGone(t *testing.T) {
	const most = 1000
	last := &forgetful{Log: &trace.Log{}}
	discreet := newUnusedFiles(newQuiet(last, nil), nil)
	narrow := (&Narrow{Files: []string{"/wanted/*"}}).sink(discreet)
	var gone []trace.FileID
	for id := trace.FileID(1); id <= 2*mostUnused; id++ {
		f := trace.File{ID: id, Path: "/wanted/x"}
		if id%2 == 0 {
			f.Path = "/others"
		}
		_ = narrow.File(&f)
		if id > most {
			Gone(narrow, []trace.FileID{id - most})
			gone = append(gone, id-most)
		}
		if held := len(discreet.young) + len(discreet.old); held > most/2+1 {
			t.Fatalf("%d files are held back after %d", held, id)
		}
		if words := len(narrow.unwanted); words > most/64+2 {
			t.Fatalf("%d words of files that are left out after %d", words, id)
		}
	}
	if !slices.Equal(last.gone, gone) {
		t.Errorf("the last sink is told of %d files that are gone, want %d", len(last.gone), len(gone))
	}
}
