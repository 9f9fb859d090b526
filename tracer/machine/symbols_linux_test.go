package machine

import (
	"debug/elf"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/testenv"
)

// A function is found at its own place, by its name, also in what is stripped and lets others use it.
func TestSymbolsOfAProgram(t *testing.T) {
	testenv.NeedTools(t, "gcc", "strip")
	dir := t.TempDir()
	source, program, stripped := filepath.Join(dir, "x.c"), filepath.Join(dir, "x"), filepath.Join(dir, "stripped")
	if err := os.WriteFile(source, []byte("int twice(int n) { return 2 * n; }\nint main(void) { return twice(0); }\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"gcc", "-O0", "-rdynamic", "-o", program, source}, {"strip", "-o", stripped, program},
	} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
	}
	for _, path := range []string{program, stripped} {
		var st unix.Stat_t
		if err := unix.Stat(path, &st); err != nil {
			t.Fatal(err)
		}
		s := ReadSymbols(path, st.Ino)
		i := slices.IndexFunc(s.list, func(x elf.Symbol) bool { return x.Name == "twice" })
		if i < 0 || s.Name() != filepath.Base(path) {
			t.Fatalf("%s: %q has %+v", path, s.Name(), s.list)
		}
		p, x := s.segments[0], s.list[i]
		place := x.Value - p.Vaddr + p.Off
		for at, want := range map[uint64]string{
			place: "twice", place + x.Size - 1: "twice", place + x.Size: "main", 1 << 40: "",
		} {
			if got := s.At(at); got != want {
				t.Errorf("%s: at %#x is %q, want %q", path, at, got, want)
			}
		}
		if ReadSymbols(path, st.Ino+1) != nil {
			t.Errorf("%s: the symbols of another file were read", path)
		}
	}
}

func TestPlainNames(t *testing.T) {
	for name, want := range map[string]string{
		"inflate":                                "inflate",
		"_ZN4core3fmt5write17h0123456789abcdefE": "core::fmt::write",
		"_ZNK7rocksdb9BlockIter4NextEv":          "rocksdb::BlockIter::Next",
		"_Z7hash_ofPKcm":                         "hash_of",
		"_ZSt9terminatev":                        "_ZSt9terminatev",
		"_Z99x":                                  "_Z99x",
		"_Z":                                     "_Z",
	} {
		if got := plainName(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

// The kernel lists its own functions in order, and then those of modules and of probes.
func TestKernelSymbols(t *testing.T) {
	const list = `ffffffff81000000 T _text
ffffffff81000100 t copy_folio
ffffffff81000180 D data
ffffffff81000200 T clear_page
ffffffffc0500000 t ext4_read	[ext4]
ffffffffc0400000 t bpf_prog_1_sampled	[bpf]
0000000000000000 T hidden
`
	got := namesOf([]uint64{0x10, 0xffffffff81000150, 0xffffffff81000190, 0xffffffff81000200, 0xffffffffc0400010,
		0xffffffffc0500001}, strings.NewReader(list))
	want := map[uint64]KernelSymbol{
		0xffffffff81000150: {"copy_folio", ""}, 0xffffffff81000190: {"copy_folio", ""},
		0xffffffff81000200: {"clear_page", ""}, 0xffffffffc0400010: {"bpf_prog_1_sampled", ProbesModule},
		0xffffffffc0500001: {"ext4_read", "ext4"},
	}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
