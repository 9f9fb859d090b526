package wording

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// TestPlaces has names that came once or often, with and without a directory, and directories of long and short names.
func TestPlaces(t *testing.T) {
	far := "/srv/very/far/away/from/the/root"
	for _, test := range []struct {
		files  profile.OpFiles
		on, of string
	}{
		{profile.OpFiles{UnderFiles: 9, UnderCalls: 10}, "", ""},
		{profile.OpFiles{UnderFiles: 9, UnderCalls: 99}, " on 9 names", ""},
		{profile.OpFiles{UnderFiles: 9, UnderCalls: 9, Under: "/etc"}, " on 9 names below /etc", ", 9 files below /etc"},
		{profile.OpFiles{UnderFiles: 9, UnderCalls: 9, Under: far}, " on 9 names below root", ", 9 files below root"},
		{profile.OpFiles{UnderFiles: 9, UnderCalls: 9, Under: far + "/7"}, " on 9 names below root/7",
			", 9 files below root/7"},
	} {
		if got := On(&test.files); got != test.on {
			t.Errorf("on %+v: %q, want %q", test.files, got, test.on)
		}
		if got := Of(&test.files); got != test.of {
			t.Errorf("of %+v: %q, want %q", test.files, got, test.of)
		}
	}
}
