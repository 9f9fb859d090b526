package machine

import "testing"

func TestParseEmptied(t *testing.T) {
	for text, want := range map[string]emptied{
		"nr_free_pages 17\ndrop_pagecache 42\ndrop_slab 3\npgsteal_file 5\n": {42, 5 << 12},
		"drop_pagecache x\npgsteal_anon 3\n":                                 {0, -1},
		"drop_slab 3\npgsteal_file 0\n":                                      {0, 0},
		"":                                                                   {0, -1},
		"drop_pagecache 7":                                                   {7, -1},
	} {
		if got := parseEmptied(text, 4096); got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}
