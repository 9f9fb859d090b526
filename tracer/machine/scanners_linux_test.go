package machine

import "testing"

func TestIsAsked(t *testing.T) {
	const group = "pos:\t0\nflags:\t02000002\nmnt_id:\t17\nino:\t1038\nfanotify flags:5 event-flags:8000\n"
	for text, want := range map[string]bool{
		group: false,
		group + "fanotify mnt_id:2d mflags:0 mask:10000 ignored_mask:0\n":                      true,
		group + "fanotify mnt_id:2d mflags:0 mask:20 ignored_mask:10000\n":                     false,
		group + "fanotify sdev:fe00000 mflags:0 mask:20 ignored_mask:0\nfanotify mask:40000\n": true,
		"mask:x mask:":          false,
		"mask:ffffffffffffffff": true,
	} {
		if got := isAsked(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

// TestScanners looks at the processes of this machine: none of them may stop the search.
func TestScanners(t *testing.T) {
	for _, h := range <-Scanners() {
		if h.PID == 0 {
			t.Errorf("%+v", h)
		}
	}
}
