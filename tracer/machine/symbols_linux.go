package machine

import (
	"cmp"
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Symbols are the functions of a program or a library; nil has none.
type Symbols struct {
	name     string // by which programs ask for it
	segments []elf.ProgHeader
	list     []elf.Symbol // in the order of addresses
}

// mostSymbols bounds the size of the tables that are read.
const mostSymbols = 64 << 20

// ReadSymbols reads those of a file, if its inode is that: it may have been replaced since it was mapped.
func ReadSymbols(path string, inode uint64) *Symbols {
	if path == "" {
		return nil
	}
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	defer f.Close()
	var st unix.Stat_t
	if unix.Fstat(int(f.Fd()), &st) != nil || st.Ino != inode || st.Mode&unix.S_IFMT != unix.S_IFREG {
		return nil
	}
	program, err := elf.NewFile(f)
	if err != nil {
		return nil
	}
	s := &Symbols{name: filepath.Base(path)}
	for _, p := range program.Progs {
		if p.Type == elf.PT_LOAD && p.Flags&elf.PF_X != 0 {
			s.segments = append(s.segments, p.ProgHeader)
		}
	}
	if names, err := program.DynString(elf.DT_SONAME); err == nil && len(names) > 0 {
		s.name = names[0]
	}
	s.list = functions(program)
	return s
}

// functions are those of the table that has more: of what is stripped, what its debug file says, where that is
// installed, or what other programs may use.
func functions(program *elf.File) []elf.Symbol {
	list := symbols(program, (*elf.File).Symbols)
	if len(list) == 0 {
		if file, err := elf.Open(debugFile(program)); err == nil {
			list = symbols(file, (*elf.File).Symbols)
			file.Close()
		}
	}
	if len(list) == 0 {
		list = symbols(program, (*elf.File).DynamicSymbols)
	}
	return list
}

// debugFile is where distributions install what they strip from a program, by the number that the linker gave it.
func debugFile(program *elf.File) string {
	const header = 16 // lengths, kind and "GNU"
	note := program.Section(".note.gnu.build-id")
	if note == nil || note.Size > 1<<10 {
		return ""
	}
	id, err := note.Data()
	if err != nil || len(id) <= header+1 {
		return ""
	}
	return fmt.Sprintf("/usr/lib/debug/.build-id/%x/%x.debug", id[header:header+1], id[header+1:])
}

func symbols(program *elf.File, table func(*elf.File) ([]elf.Symbol, error)) []elf.Symbol {
	for _, section := range program.Sections {
		if (section.Type == elf.SHT_SYMTAB || section.Type == elf.SHT_DYNSYM) && section.Size > mostSymbols {
			return nil
		}
	}
	list, _ := table(program) // there may be none
	list = slices.DeleteFunc(list, func(x elf.Symbol) bool {
		kind := elf.ST_TYPE(x.Info)
		return kind != elf.STT_FUNC && kind != elf.STT_GNU_IFUNC || x.Section == elf.SHN_UNDEF
	})
	slices.SortFunc(list, func(a, b elf.Symbol) int {
		return cmp.Or(cmp.Compare(a.Value, b.Value), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// Name is what the file calls itself, "" if that is not known.
func (s *Symbols) Name() string {
	if s == nil {
		return ""
	}
	return s.name
}

// At is the function at a place in the file, "" if none is known that goes that far.
func (s *Symbols) At(place uint64) string {
	if s == nil {
		return ""
	}
	for _, p := range s.segments {
		if place >= p.Off && place-p.Off < p.Filesz {
			return s.atAddress(place - p.Off + p.Vaddr)
		}
	}
	return ""
}

func (s *Symbols) atAddress(address uint64) string {
	i := sort.Search(len(s.list), func(i int) bool { return s.list[i].Value > address }) - 1
	for ; i >= 0; i-- { // of several names of one function the last may have no size
		x := &s.list[i]
		if address-x.Value < x.Size {
			name, _, _ := strings.Cut(x.Name, "@")
			return plainName(name)
		}
		if i > 0 && s.list[i-1].Value != x.Value {
			break
		}
	}
	return ""
}

// MappedFile is the path of a file that a process has mapped, by its inode; "" if it is gone.
func MappedFile(pid uint32, inode uint64) string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line) // addresses, rights, offset, device, inode, path
		if len(fields) == 6 && fields[4] == strconv.FormatUint(inode, 10) {
			return fields[5]
		}
	}
	return ""
}

// plainName is the name that a program's source has for a function of C++ or Rust, without what it takes; other names
// are as they are.
func plainName(name string) string {
	rest, mangled := strings.CutPrefix(name, "_Z")
	if !mangled {
		return name
	}
	rest = strings.TrimLeft(rest, "NKL")
	var parts []string
	for rest != "" && rest[0] >= '0' && rest[0] <= '9' {
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		n, _ := strconv.Atoi(rest[:digits])
		if n == 0 || digits+n > len(rest) {
			return name
		}
		parts, rest = append(parts, rest[digits:digits+n]), rest[digits+n:]
	}
	if last := len(parts) - 1; last > 0 && len(parts[last]) == rustHash && parts[last][0] == 'h' {
		parts = parts[:last]
	}
	return cmp.Or(strings.Join(parts, "::"), name)
}

// rustHash is the length of what Rust adds to each name.
const rustHash = 17
