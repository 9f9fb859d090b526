//go:build linux

package corpus

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// transformers read a and write something else from it. The copies that they
// do make are listed by the end of the destination's name.
var transformers = []struct {
	name, needs, prepare, script string
	copies                       string
}{
	{"gzip", "gzip", "", "gzip -k a", ""},
	{"gunzip", "gzip", "gzip a", "gunzip -k a.gz", ""},
	{"cat gzip", "gzip cat", "", "cat a | gzip > b", ""},
	{"tar gzip", "gzip tar", "", "tar cz a > b", ""},
	{"tar", "tar", "", "tar cf b a", ""},
	{"sort", "sort", "", "sort -o b text", ""},
	{"grep", "grep", "", "grep a text > b", ""},
	{"head", "head", "", "head -c 1000000 a > b", "b"}, // a part is a copy of a part
	{"checksum", "md5sum", "", "md5sum a > b", ""},
	{"sqlite", "sqlite3", "", `sqlite3 b "create table t(x); insert into t select hex(randomblob(500)) from generate_series(1,2000)"`, ""},
	{"rsync delta", "rsync", "cp a b; printf x | dd of=b bs=1 seek=1000000 conv=notrunc status=none; touch -d yesterday b", "rsync --no-whole-file a b", ""},
	{"remux", "ffmpeg", "ffmpeg -v error -f lavfi -i testsrc=d=8:s=320x240 -c:v mpeg4 -b:v 2M a.mp4", "ffmpeg -v error -i a.mp4 -c copy b.mkv", ""},
	{"git clone", "git", repository, "git clone -q --no-hardlinks one two", "/objects/"},
	{"git commit", "git", repository, "cp a one/b && git -C one add b && git -C one -c user.name=a -c user.email=a@b commit -qm b", "one/b"},
}

const repository = "git init -q one && cp a one/ && git -C one add a && git -C one -c user.name=a -c user.email=a@b commit -qm a"

// TestTransformers checks that what changes the data is not called a copy.
func TestTransformers(t *testing.T) {
	needPrivilege(t)
	for _, c := range transformers {
		t.Run(c.name, func(t *testing.T) {
			needPrograms(t, strings.Fields(c.needs)...)
			dir := ""
			p := prepared(t, func() []string {
				dir = workDir(t)
				fill(t, filepath.Join(dir, "a"), 2<<20)
				var text strings.Builder
				for i := range 100_000 {
					text.WriteString(strings.Repeat(string(rune('a'+i*7919%26)), 3))
					text.WriteString("1\n")
				}
				if err := os.WriteFile(filepath.Join(dir, "text"), []byte(text.String()), 0o644); err != nil {
					t.Fatal(err)
				}
				if c.prepare != "" {
					run(t, in(dir, c.prepare)...)
				}
				return in(dir, c.script)
			})
			found := false
			for _, x := range between(p, dir, dir) {
				if x.Method == "rename" || x.Method == "hardlink" || strings.Contains(x.Source, "/git-core/templates/") {
					continue // no data, or of git's own files: a new repository holds copies of those
				}
				if c.copies == "" || !strings.Contains(x.Destination, c.copies) {
					t.Errorf("called a copy (%s, %d bytes): %s → %s, %s", x.Method, x.Bytes, x.Source, x.Destination, x.Because)
					continue
				}
				found = true
			}
			if c.copies != "" && !found {
				t.Errorf("no copy to %s was found", c.copies)
			}
		})
	}
}
