package answer

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

func TestMostCopied(t *testing.T) {
	file := func(from, to string, bytes int64) profile.Copy {
		return profile.Copy{Source: from, Destination: to, Bytes: bytes}
	}
	small := file("/src/app/main.go", "/tmp/build-1/main.go", 10)
	for _, test := range []struct {
		what string
		list []profile.Copy
		want string
	}{
		{"below a directory of what is copied", []profile.Copy{small,
			file("/src/app/data/big/a", "/tmp/build-1/data/big/a", 50),
			file("/src/app/data/big/b", "/tmp/build-1/data/big/b", 40)}, ", most of it app/data/big → /tmp/build-1"},
		{"elsewhere in another shape", []profile.Copy{small, file("/src/app/data/a", "/backup/x", 50)},
			", most of it app/data"},
		{"all over", []profile.Copy{file("/src/app/a/x", "/b/a/x", 10), file("/src/app/b/x", "/b/b/x", 10)}, ""},
		{"one directory", []profile.Copy{small, small}, ""},
		{"at the root", []profile.Copy{file("/x", "/b/x", 10), file("/c/x", "/b/c/x", 90)}, ", most of it /c → /b"},
		{"of no bytes", []profile.Copy{file("/c/y", "/b/x", 0), file("/c/d/x", "/b/c/x", 0)}, ""},
		{"of names without directories", []profile.Copy{file("x", "y", 1), file("d/x", "z/y", 10)}, ""},
	} {
		if got := mostCopied([]string{"cp", "-r", "/src", "/other/backup/"}, test.list); got != test.want {
			t.Errorf("%s: %q, want %q", test.what, got, test.want)
		}
	}
}
