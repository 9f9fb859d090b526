package machine

import "testing"

func TestParseDrops(t *testing.T) {
	for text, want := range map[string]int64{
		"nr_free_pages 17\ndrop_pagecache 42\ndrop_slab 3\n": 42, "drop_pagecache x\n": 0, "drop_slab 3\n": 0, "": 0,
		"drop_pagecache 7": 7,
	} {
		if got := parseDrops(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
