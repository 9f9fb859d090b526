package cause

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/internal/docs"
)

var update = flag.Bool("update", false, "write the list in docs/verdict.md")

// The page lists the causes as the program has them; go test -update writes it.
func TestPageOfCauses(t *testing.T) {
	const file, begins, ends = "../../docs/verdict.md", "<!-- causes: written by go test -update -->\n",
		"<!-- end of causes -->\n"
	docs.Check(t, file, begins, ends, Table(), *update)
}

// So are the kinds of work.
func TestPageOfWork(t *testing.T) {
	const file, begins, ends = "../../docs/verdict.md", "<!-- work: written by go test -update -->\n",
		"<!-- end of work -->\n"
	docs.Check(t, file, begins, ends, WorkTable(), *update)
}

// A function says more than its library. What has no symbols, or is not listed, is told as far as that.
func TestWorkOf(t *testing.T) {
	for _, test := range []struct{ library, function, want string }{
		{"libz.so.1", "inflate", "compression"},
		{"libz.so.1", "crc32_z", "checksums"},
		{"liblzma.so.5", "", "compression"},
		{"zstd", "", "compression"},
		{"zstdless", "", ""},
		{"backup", "blake2b_compress", "checksums"},
		{"backup", "main.walk", ""},
		{"kernel", "clear_page_erms", "page faults"},
		{"kernel", "copy_folio_from_iter_atomic", "copying in memory"},
		{"kernel", "__d_lookup_rcu", "looking up names"},
		{"kernel", "ext4_mark_inode_dirty", "a file system's own work"},
		{"kernel", "zstd_compress_stream", "compression"},
		{"libc.so.6", "__memmove_avx_unaligned_erms", "copying in memory"},
		{"libc.so.6", "towlower", "matching text"},
		{"libc.so.6", "__memcmp_evex_movbe", "sorting and comparing"},
		{"libc.so.6", "", ""},
		{"libcrypto.so.3", "", "encryption or checksums"},
		{"libcrypto.so.3", "aes_gcm_encrypt", "encryption"},
		{"libpython3.11.so.1.0", "_PyEval_EvalFrameDefault", "interpreting a script"},
		{"python3.12", "", "interpreting a script"},
		{"server", "runtime.gcBgMarkWorker", "memory allocation"},
		{"ld-linux-x86-64.so.2", "", "linking programs that start"},
		{"", "", ""},
	} {
		got := ""
		if w := WorkOf(test.library, test.function); w != nil {
			got = w.Name
		}
		if got != test.want {
			t.Errorf("%s of %s is %q, want %q", test.function, test.library, got, test.want)
		}
	}
}

// Each code that the program can say has one entry, and the entry is complete.
func TestCausesAreComplete(t *testing.T) {
	source, err := os.ReadFile("cause.go")
	if err != nil {
		t.Fatal(err)
	}
	entries := map[string]int{}
	for _, c := range All() {
		entries[c.Code]++
		if c.Title == "" || c.Takes == "" || c.When == "" || c.Sure == "" || c.Try == "" || c.Counted.Right > c.Counted.Of {
			t.Errorf("%+v", c)
		}
	}
	listed, _, _ := strings.Cut(string(source), "// How sure a cause is")
	codes := regexp.MustCompile(`= "([a-z_]+)" +//`).FindAllStringSubmatch(listed, -1)
	for _, m := range codes {
		if entries[m[1]] != 1 {
			t.Errorf("%s has %d entries", m[1], entries[m[1]])
		}
	}
	if len(codes) != len(entries) {
		t.Errorf("%d codes, %d entries", len(codes), len(entries))
	}
}
