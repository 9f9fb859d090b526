package tracer

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"os"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"github.com/iotrace/iotrace/internal/host"
)

// beyondTheRuntime joins what is still ignored with what the runtime took over.
func beyondTheRuntime() ignoredSignals {
	saved, err := savedDispositions()
	if err != nil {
		saved = 0 // a binary without symbols: the command gets the default action
	}
	return ignoredSignals(saved | ignoredNow())
}

// ignoredNow is the SigIgn line of this process's status: signals that the
// runtime never touches, such as SIGTSTP, are there as they were inherited.
func ignoredNow() uint64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if value, ok := strings.CutPrefix(line, "SigIgn:"); ok {
			set, _ := strconv.ParseUint(strings.TrimSpace(value), 16, 64)
			return set
		}
	}
	return 0
}

// savedDispositions reads the handlers that the runtime found and replaced when
// this program started. It keeps them in runtime.fwdSig, one word per signal,
// and offers no way to ask; the symbol table says where they are.
func savedDispositions() (uint64, error) {
	exe, err := elf.Open(host.Program())
	if err != nil {
		return 0, err
	}
	defer exe.Close()
	table, err := symbol(exe, Symbols[0])
	if err != nil {
		return 0, err
	}
	anchor, err := symbol(exe, Symbols[1])
	if err != nil {
		return 0, err
	}
	// Position-independent programs are loaded elsewhere than their symbols say.
	slide := uint64(reflect.ValueOf(runtime.GC).Pointer()) - anchor.Value

	memory, err := os.Open("/proc/self/mem")
	if err != nil {
		return 0, err
	}
	defer memory.Close()
	handlers := make([]byte, table.Size)
	if _, err := memory.ReadAt(handlers, int64(table.Value+slide)); err != nil {
		return 0, err
	}
	const ignore = 1 // SIG_IGN
	var set uint64
	for s := 1; s <= 64 && s*8+8 <= len(handlers); s++ {
		if binary.NativeEndian.Uint64(handlers[s*8:]) == ignore {
			set |= 1 << (s - 1)
		}
	}
	// The runtime uses these two itself and they cannot be meant.
	return set &^ (1<<(syscall.SIGKILL-1) | 1<<(syscall.SIGSTOP-1)), nil
}

var errNoSymbol = errors.New("symbol not found")

// symbol finds one symbol without building the list of all of them.
func symbol(exe *elf.File, name string) (elf.Sym64, error) {
	symtab, strtab := exe.Section(".symtab"), exe.Section(".strtab")
	if symtab == nil || strtab == nil {
		return elf.Sym64{}, errNoSymbol
	}
	names, err := strtab.Data()
	if err != nil {
		return elf.Sym64{}, err
	}
	entries, err := symtab.Data()
	if err != nil {
		return elf.Sym64{}, err
	}
	at := bytes.Index(names, []byte("\x00"+name+"\x00"))
	if at < 0 {
		return elf.Sym64{}, errNoSymbol
	}
	for ; len(entries) >= elf.Sym64Size; entries = entries[elf.Sym64Size:] {
		if exe.ByteOrder.Uint32(entries) != uint32(at+1) {
			continue
		}
		var s elf.Sym64
		_, err := binary.Decode(entries[:elf.Sym64Size], exe.ByteOrder, &s)
		return s, err
	}
	return elf.Sym64{}, errNoSymbol
}
