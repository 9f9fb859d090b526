package conversion

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

// packers are those whose files are not read, by how these begin, with what unpacks them. xz and LZMA may ask for 4 GiB
// of memory.
var packers = []struct{ begins, name, unpacks string }{
	{"\xfd7zXZ\x00", "xz", "xz -dc FILE"},
	{"\x04\x22\x4d\x18", "lz4", "lz4 -dc FILE"},
	{"\x1f\x9d", "compress", "gzip -dc FILE"},
	{"LZIP\x01", "lzip", "lzip -dc FILE"},
	{"7z\xbc\xaf\x27\x1c", "7-Zip", "7z x -so FILE"},
	{"Rar!\x1a\x07", "RAR", "unrar p -inul FILE"},
}

// Where a tar archive has its mark (POSIX.1-1988).
const (
	tarMark = "ustar"
	tarAt   = 257
)

// packed says what to do with a file that has to be unpacked first, nil for any other.
func packed(r *bufio.Reader) error {
	head, _ := r.Peek(tarAt + len(tarMark)) // an error comes again when it is read
	for _, p := range packers {
		if bytes.HasPrefix(head, []byte(p.begins)) {
			return compressed(p.name, p.unpacks)
		}
	}
	switch {
	case isLZMA(head):
		return compressed("LZMA", "xz -dc FILE")
	case len(head) > tarAt && bytes.HasPrefix(head[tarAt:], []byte(tarMark)):
		return errors.New("it is a tar archive: import the file in it that is meant (tar -xOf FILE NAME | iotrace import -)")
	}
	return nil
}

func compressed(name, unpacks string) error {
	return fmt.Errorf("it is compressed with %s: decompress it first (%s | iotrace import -)", name, unpacks)
}

// isLZMA reports whether a file is LZMA's alone, which has no mark. Its header is: the properties, the size of the
// dictionary, that of the content or -1, and of the data a first byte that is always 0 (lzma-file-format.txt of XZ
// Utils). Dictionaries are 2^n or 2^n + 2^(n-1) bytes, so a text never looks like it.
func isLZMA(head []byte) bool {
	const header, mostProperties, largest = 13, 9*5*5 - 1, 1 << 38
	if len(head) <= header || head[0] > mostProperties || head[header] != 0 {
		return false
	}
	dictionary, size := binary.LittleEndian.Uint32(head[1:]), binary.LittleEndian.Uint64(head[5:])
	top := bits.Len32(dictionary) - 1
	halves := top > 0 && dictionary == 3<<(top-1)
	return (bits.OnesCount32(dictionary) == 1 || halves) && dictionary >= 1<<12 && (size == 1<<64-1 || size < largest)
}
