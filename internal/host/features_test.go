package host

import (
	"encoding/binary"
	"testing"
)

// TestWithoutTree takes first blocks as mke2fs writes them: a magic number, and whether directories have an index.
func TestWithoutTree(t *testing.T) {
	for _, x := range []struct {
		magic  uint16
		have   uint32
		wanted bool
	}{
		{magic, 0x3C, false}, // has_journal, ext_attr, resize_inode, dir_index
		{magic, 0x1C, true},
		{0x5846, 0x1C, false}, // another file system
	} {
		block := make([]byte, compatibleAt+4)
		binary.LittleEndian.PutUint16(block[magicAt:], x.magic)
		binary.LittleEndian.PutUint32(block[compatibleAt:], x.have)
		if got := withoutTree(block); got != x.wanted {
			t.Errorf("%#x %#x: %v", x.magic, x.have, got)
		}
	}
	if Unindexed("xfs", 8, 0) || SharingCounted("ext4", "/dev/sda") {
		t.Error("of another file system")
	}
}

// TestOrdersData takes options as Linux 6.18 has them in /proc/fs/ext4/DEVICE/options.
func TestOrdersData(t *testing.T) {
	for options, want := range map[string]bool{
		"rw\nbsddf\nblock_validity\ndelalloc\nbarrier\ncommit=5\ndata=ordered\ninit_itable=10\n": true,
		"rw\ndata=journal\n": true,
		"rw\nbsddf\nblock_validity\ndelalloc\nbarrier\ncommit=5\nauto_da_alloc\ninit_itable=10\n": false,
		"ro\nerrors=continue\nmax_dir_size_kb=0\n":                                                false,
	} {
		if ordersData(options) != want {
			t.Errorf("%q: a journal orders data: %t", options, !want)
		}
	}
}
