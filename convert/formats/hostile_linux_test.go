package formats

import (
	"archive/zip"
	"bufio"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/conversion"
	"github.com/iotrace/iotrace/internal/host"
)

// memoryLimit is what an import may take, of whatever input.
const memoryLimit = 256 << 20

// imported is what a child says of an import.
type imported struct {
	Lines, Damaged, First, Events uint64
	Summary, Error                string
	Peak                          int64
}

// Whatever an input holds, its import takes less memory than the limit. What is too long is damaged, with its place,
// and what comes behind it is read. Each import is a process of its own: the most that a process has taken (VmHWM) is
// never less again. That is what is bounded, as neither limit of the system tells: RLIMIT_AS counts the gigabytes of
// addresses that Go reserves, RLIMIT_DATA what it maps ahead in arenas of 64 MiB, and a race detector multiplies both.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("it imports many gigabytes")
	}
	bombs := map[string]string{}
	for from := range bombed {
		for _, shape := range shapes {
			if shape.compressed != "" {
				bombs[from+shape.compressed] = bomb(t, shape.compressed, sample(from)+"\n"+half(from, shape.name))
			}
		}
	}
	for _, i := range Importers {
		if named[i.From] == "" && i.From != "blktrace" {
			t.Errorf("%s is not tried with many names: add a line of it to named", i.From)
		}
		whole := child(t, i.From, "whole", "")
		for _, shape := range shapes {
			if shape.compressed != "" && !bombed[i.From] ||
				shape.names > shortNames && !strings.Contains(named[i.From], "NAME") {
				continue
			}
			t.Run(i.From+"/"+shape.name, func(t *testing.T) {
				t.Parallel()
				got := child(t, i.From, shape.name, bombs[i.From+shape.compressed])
				check(t, shape, whole, got)
			})
		}
	}
}

// bombed are formats of each kind, lines, XML and JSON, that compressed files are tried with.
var bombed = map[string]bool{"strace": true, "xctrace": true, "jsonl": true}

// check judges what came of an input, by what comes of the same input without its hostile part.
func check(t *testing.T, s shape, whole, got imported) {
	t.Helper()
	switch {
	case whole.Error != "" || whole.Events == 0:
		t.Fatalf("the sample itself: %+v", whole)
	case s.name == "whole":
	case s.endless || got.Error != "":
		// A format whose input is one document ends there, and an input that is all damage is none.
		if got.Error == "" && got.Damaged == 0 && !strings.Contains(got.Summary, "the export ends early") {
			t.Errorf("nothing is said of it: %+v", got)
		}
		if strings.Contains(got.Error, "decompressing") || strings.Contains(got.Error, "unpacking") {
			t.Errorf("it was not decompressed: %+v", got)
		}
	case strings.Contains(got.Summary, "the export ends early"): // what is there is no XML
	case s.damages && got.Damaged == 0:
		t.Errorf("no line is damaged: %+v", got)
	case s.damages && got.First == 0:
		t.Errorf("the damage has no place: %+v", got)
	case s.damages && got.Events <= whole.Events:
		t.Errorf("%d events, %d before the damage: what is behind it is lost: %+v", got.Events, whole.Events, got)
	}
}

// child imports in another process, which ends itself when it takes too much.
func child(t *testing.T, from, shape, file string) (r imported) {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run=^TestHostileImport$", "-test.v")
	c.Env = append(os.Environ(), "IOTRACE_HOSTILE="+from+"/"+shape, "IOTRACE_HOSTILE_FILE="+file)
	out, err := c.CombinedOutput()
	_, said, found := strings.Cut(string(out), "IMPORTED ")
	said, _, _ = strings.Cut(said, "\n")
	if err != nil || !found || json.Unmarshal([]byte(said), &r) != nil {
		t.Fatalf("%v: %.2000s", err, out)
	}
	return r
}

// TestHostileImport is the child.
func TestHostileImport(t *testing.T) {
	from, name, ok := strings.Cut(os.Getenv("IOTRACE_HOSTILE"), "/")
	if !ok {
		t.Skip("this is what TestHostile runs")
	}
	go watch()
	var in io.Reader = hostile(from, name)
	if file := os.Getenv("IOTRACE_HOSTILE_FILE"); file != "" {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		in = f
	}
	inputs, err := conversion.Open([]string{"-"}, in)
	if err != nil {
		t.Fatal(err)
	}
	defer inputs.Close()
	var i *convert.Importer
	for _, one := range Importers {
		if one.From == from {
			i = one
		}
	}
	r, err := conversion.Import(io.Discard, i, inputs, "a test")
	said := imported{Peak: peak()}
	if err != nil {
		said.Error = err.Error()
	} else {
		said.Lines, said.Damaged, said.First = r.Counts.Lines, r.Counts.Damaged, r.Counts.First
		said.Events, said.Summary = r.Calls+r.Requests+r.Operations, r.Summary()
	}
	if said.Peak > memoryLimit {
		t.Fatalf("it takes %d MiB", said.Peak>>20)
	}
	text, err := json.Marshal(said)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("IMPORTED %s\n", text)
}

func peak() int64 { return host.MaxRSS() }

// watch ends the process before it takes the memory of a whole machine.
func watch() {
	for {
		if n := peak(); n > memoryLimit {
			fmt.Printf("it takes %d MiB and goes on\n", n>>20)
			os.Exit(3)
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// bombLength is what comes of a compressed file, behind what a tool wrote: twice as much as an import may take.
const bombLength = 2 * memoryLimit

// bomb is a file of whose few bytes gigabytes come, after a beginning that is as a tool wrote it.
func bomb(t *testing.T, with, beginning string) string {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "bomb"))
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(f)
	if with == "bzip2" {
		_, err = io.Copy(w, &stream{parts: []part{{string(bzip2Block), bombLength / 900_000}}})
	} else {
		var z io.WriteCloser
		archive := zip.NewWriter(w)
		switch with {
		case "gzip":
			z = gzip.NewWriter(w)
		case "zstd":
			z, err = zstd.NewWriter(w)
		case "wide":
			z, err = zstd.NewWriter(w, zstd.WithWindowSize(128<<20))
		case "zip":
			var file io.Writer
			file, err = archive.Create("log")
			z = closing{file, archive}
		}
		if err == nil {
			_, err = io.Copy(z, &stream{parts: []part{{beginning, 1}, {"a", bombLength}}})
			err = errors.Join(err, z.Close())
		}
	}
	if err := errors.Join(err, w.Flush(), f.Close()); err != nil {
		t.Fatal(err)
	}
	return f.Name()
}

// closing writes to a file in an archive, and ends the archive.
type closing struct {
	io.Writer
	io.Closer
}

// bzip2Block is 900,000 times "a", as bzip2 compresses them: no library of Go's writes its format. Streams may follow
// each other.
var bzip2Block, _ = hex.DecodeString("425a6839314159265359e68baf760006e48100a2000008200030cc09aa6994a1" +
	"36a9284f177245385090e68baf76")
