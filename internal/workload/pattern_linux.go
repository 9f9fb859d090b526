package workload

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Sector is the unit in which pattern files say what they are.
const Sector = 512

// magic begins every sector of a pattern file.
const magic = 0x1077ace0_5ec70f00

func init() {
	programs["write"] = writePattern
	programs["read"] = readPattern
}

// FillPattern fills b, which lies at offset off of the pattern file number id:
// each of its sectors says which file and which offset it belongs to.
func FillPattern(b []byte, id uint64, off int64) {
	for i := 0; i+Sector <= len(b); i += Sector {
		s := b[i : i+Sector]
		binary.LittleEndian.PutUint64(s, magic)
		binary.LittleEndian.PutUint64(s[8:], id)
		binary.LittleEndian.PutUint64(s[16:], uint64(off)+uint64(i))
	}
}

// ParsePattern says which file and which offset a sector was written for.
func ParsePattern(s []byte) (id uint64, off int64, ok bool) {
	if len(s) < 24 || binary.LittleEndian.Uint64(s) != magic {
		return 0, 0, false
	}
	return binary.LittleEndian.Uint64(s[8:]), int64(binary.LittleEndian.Uint64(s[16:])), true
}

// PatternName is the name of the pattern file number id.
func PatternName(dir string, id uint64) string { return fmt.Sprintf("%s/pattern-%d", dir, id) }

// PatternID is the number of a pattern file, false if the name is of no such file.
func PatternID(name string) (uint64, bool) {
	n, found := strings.CutPrefix(filepath.Base(name), "pattern-")
	id, err := strconv.ParseUint(n, 10, 64)
	return id, found && err == nil
}

// WriteMethods are the ways in which the workload "write" can write a file.
var WriteMethods = []string{"buffered", "direct", "mmap", "fsync", "shuffled", "holes", "dsync"}

// patternJob is one pattern file being written.
type patternJob struct {
	fd    int
	id    uint64
	size  int64
	block []byte
}

// writePattern DIR ID SIZE BLOCK METHOD writes a pattern file of SIZE bytes in blocks of
// BLOCK bytes. SIZE is a multiple of BLOCK and BLOCK one of the page size.
//
//	buffered   plain writes in order
//	direct     the same with O_DIRECT
//	mmap       stores into a shared mapping, then msync
//	fsync      plain writes with an fsync after each
//	dsync      the same with O_DSYNC and without fsync
//	shuffled   plain writes in random order, and an fdatasync after every 16th
//	holes      every third block of the file, then fsync
func writePattern(args []string) error {
	id, _ := strconv.ParseUint(args[1], 10, 64)
	size, _ := strconv.ParseInt(args[2], 10, 64)
	block, _ := strconv.Atoi(args[3])
	method := args[4]
	flags := map[string]int{"direct": unix.O_DIRECT, "dsync": unix.O_DSYNC}[method]
	name := PatternName(args[0], id)
	fd, err := unix.Open(name, unix.O_CREAT|unix.O_RDWR|flags, 0o644)
	if err != nil {
		return fmt.Errorf("opening %s: %w", name, err)
	}
	defer unix.Close(fd)
	buf, err := unix.Mmap(-1, 0, block, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE) // aligned
	if err != nil {
		return err
	}
	j := patternJob{fd, id, size, buf}
	n := size / int64(block)
	switch method {
	case "buffered", "direct", "dsync":
		return j.each(n, func(i int64) error { return j.put(i) })
	case "fsync":
		return j.each(n, func(i int64) error { return first(j.put(i), unix.Fsync(fd)) })
	case "mmap":
		return j.mapped()
	case "shuffled":
		order := rand.New(rand.NewPCG(id, 0)).Perm(int(n))
		return j.each(n, func(i int64) error {
			err := j.put(int64(order[i]))
			if i%16 == 15 {
				err = first(err, unix.Fdatasync(fd))
			}
			return err
		})
	case "holes":
		return first(j.each((n+2)/3, func(i int64) error { return j.put(3 * i) }), unix.Fsync(fd))
	}
	return fmt.Errorf("no method %q", method)
}

func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (j *patternJob) each(n int64, f func(i int64) error) error {
	for i := range n {
		if err := f(i); err != nil {
			return err
		}
	}
	return nil
}

// put writes block number i.
func (j *patternJob) put(i int64) error {
	off := i * int64(len(j.block))
	FillPattern(j.block, j.id, off)
	n, err := unix.Pwrite(j.fd, j.block, off)
	if err == nil && n != len(j.block) {
		err = fmt.Errorf("short write of %d bytes at %d", n, off)
	}
	return err
}

func (j *patternJob) mapped() error {
	if err := unix.Ftruncate(j.fd, j.size); err != nil {
		return err
	}
	m, err := unix.Mmap(j.fd, 0, int(j.size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return err
	}
	FillPattern(m, j.id, 0)
	return first(unix.Msync(m, unix.MS_SYNC), unix.Munmap(m))
}

// readPattern DIR ID BLOCK METHOD reads a pattern file and checks its content.
//
//	buffered   plain reads in order
//	direct     the same with O_DIRECT
//	mmap       loads from a mapping that asks for no readahead
func readPattern(args []string) error {
	id, _ := strconv.ParseUint(args[1], 10, 64)
	block, _ := strconv.Atoi(args[2])
	flags := map[string]int{"direct": unix.O_DIRECT}[args[3]]
	name := PatternName(args[0], id)
	fd, err := unix.Open(name, unix.O_RDONLY|flags, 0)
	if err != nil {
		return fmt.Errorf("opening %s: %w", name, err)
	}
	defer unix.Close(fd)
	if args[3] == "mmap" {
		return readMapped(fd, id)
	}
	buf, err := unix.Mmap(-1, 0, block, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return err
	}
	for off := int64(0); ; {
		n, err := unix.Pread(fd, buf, off)
		if err != nil || n == 0 {
			return err
		}
		if err := checkPattern(buf[:n], id, off); err != nil {
			return err
		}
		off += int64(n)
	}
}

func readMapped(fd int, id uint64) error {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return err
	}
	m, err := unix.Mmap(fd, 0, int(st.Size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return err
	}
	if err := unix.Madvise(m, unix.MADV_RANDOM); err != nil {
		return err
	}
	return first(checkPattern(m, id, 0), unix.Munmap(m))
}

func checkPattern(b []byte, id uint64, off int64) error {
	for i := 0; i+Sector <= len(b); i += Sector {
		gotID, gotOff, ok := ParsePattern(b[i:])
		if !ok {
			if binary.LittleEndian.Uint64(b[i:]) == 0 {
				continue // a hole
			}
			return fmt.Errorf("no pattern at offset %d", off+int64(i))
		}
		if gotID != id || gotOff != off+int64(i) {
			return fmt.Errorf("offset %d holds the pattern of file %d, offset %d", off+int64(i), gotID, gotOff)
		}
	}
	return nil
}
