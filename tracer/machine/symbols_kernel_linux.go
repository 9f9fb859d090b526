package machine

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"slices"
	"strconv"
)

// KernelSymbol is a function of the kernel; the module is "" if it is part of the kernel itself.
type KernelSymbol struct{ Function, Module string }

// ProbesModule is the name under which the kernel lists BPF programs.
const ProbesModule = "bpf"

// KernelSymbols names the functions at addresses in the kernel, which are in order, as far as it tells. It takes a
// tenth of a second.
func KernelSymbols(addresses []uint64) map[uint64]KernelSymbol {
	if len(addresses) == 0 {
		return nil
	}
	f, err := os.Open("/proc/kallsyms")
	if err != nil {
		return nil
	}
	defer f.Close()
	return namesOf(addresses, f)
}

// namesOf looks addresses up in a list of symbols. Those of the kernel are in order, those of modules are not.
func namesOf(addresses []uint64, list io.Reader) map[uint64]KernelSymbol {
	type symbol struct {
		at uint64
		KernelSymbol
	}
	nearest := make([]symbol, len(addresses)) // at or below an address, of those that lie above the address before it
	for lines := bufio.NewScanner(list); lines.Scan(); {
		digits, rest, _ := bytes.Cut(lines.Bytes(), []byte{' '})
		if len(rest) < 3 || !bytes.ContainsRune([]byte("tTwW"), rune(rest[0])) {
			continue
		}
		at, err := strconv.ParseUint(string(digits), 16, 64)
		if err != nil || at == 0 { // without the right to see addresses all are 0
			continue
		}
		i, _ := slices.BinarySearch(addresses, at)
		if i < len(addresses) && at > nearest[i].at {
			name, module, _ := bytes.Cut(rest[2:], []byte{'\t'})
			nearest[i] = symbol{at, KernelSymbol{string(name), string(bytes.Trim(module, "[]"))}}
		}
	}
	names := map[uint64]KernelSymbol{}
	last := symbol{}
	for i, address := range addresses {
		if nearest[i].at > last.at {
			last = nearest[i]
		}
		if last.at != 0 {
			names[address] = last.KernelSymbol
		}
	}
	return names
}
