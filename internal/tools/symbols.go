package main

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"os"
	"slices"

	"github.com/iotrace/iotrace/tracer"
)

// stripSymbols strips the symbol tables of programs for Linux, except for the two symbols that iotrace reads in itself
// (tracer/ignored.go). They are a tenth of its size. The linker knows all of them or none.
func stripSymbols() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: symbols PROGRAM")
		os.Exit(2)
	}
	if err := keepIn(os.Args[1], tracer.Symbols); err != nil {
		fmt.Fprintln(os.Stderr, "symbols:", err)
		os.Exit(1)
	}
}

// keepIn leaves these symbols in the program at a path.
func keepIn(path string, names []string) error {
	program, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if program, err = keep(program, names); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(path, program, 0o755) //nolint:gosec // a program is for all
}

// keep is a program of 64 bits with these symbols alone. Go's linker puts the tables of symbols behind all that is
// loaded, with nothing behind them but the names of sections: the file ends earlier then, and the rest stays.
func keep(program []byte, names []string) ([]byte, error) {
	f, err := elf.NewFile(bytes.NewReader(program))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if f.Class != elf.ELFCLASS64 {
		return nil, fmt.Errorf("a program of %s", f.Class)
	}
	all, err := f.Symbols()
	if err != nil {
		return nil, err
	}
	symbols, text := make([]byte, elf.Sym64Size), []byte{0} // the first of each is of nothing
	for _, name := range names {
		n := slices.IndexFunc(all, func(s elf.Symbol) bool { return s.Name == name })
		if n < 0 {
			return nil, fmt.Errorf("no symbol %s", name)
		}
		s := &all[n]
		symbols, err = binary.Append(symbols, f.ByteOrder, elf.Sym64{Name: uint32(len(text)), Info: s.Info, Other: s.Other,
			Shndx: uint16(s.Section), Value: s.Value, Size: s.Size})
		if err != nil {
			return nil, err
		}
		text = append(append(text, name...), 0)
	}
	return replace(f, program, map[string][]byte{".symtab": symbols, ".strtab": text})
}

// replace puts other contents into sections at the end of a program, and moves up those behind them.
func replace(f *elf.File, program []byte, contents map[string][]byte) ([]byte, error) {
	const headers = 0x28 // where the header of the file says where those of sections are
	table := f.ByteOrder.Uint64(program[headers:])
	end, tail := table, []int(nil)
	for i, s := range f.Sections {
		switch {
		case s.Type == elf.SHT_NOBITS || s.Type == elf.SHT_NULL:
		case s.Name == ".symtab" || s.Name == ".strtab" || s.Name == ".shstrtab":
			tail = append(tail, i)
		default:
			end = max(end, s.Offset+s.FileSize)
		}
	}
	out := bytes.Clone(program[:end])
	slices.SortFunc(tail, func(a, b int) int { return int(f.Sections[a].Offset) - int(f.Sections[b].Offset) })
	for _, i := range tail {
		s := f.Sections[i]
		if s.Offset < end {
			return nil, fmt.Errorf("section %s is not behind what is loaded", s.Name)
		}
		data, replaced := contents[s.Name]
		if !replaced {
			data = program[s.Offset : s.Offset+s.FileSize]
		}
		for uint64(len(out))%max(s.Addralign, 1) != 0 {
			out = append(out, 0)
		}
		header := s.SectionHeader
		entry := out[table+uint64(i)*uint64(f.ByteOrder.Uint16(program[0x3a:])):]
		f.ByteOrder.PutUint64(entry[0x18:], uint64(len(out)))
		f.ByteOrder.PutUint64(entry[0x20:], uint64(len(data)))
		if header.Name == ".symtab" {
			f.ByteOrder.PutUint32(entry[0x2c:], 1) // the first that is not local
		}
		out = append(out, data...)
	}
	return out, nil
}
