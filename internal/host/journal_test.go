package host

import "testing"

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
