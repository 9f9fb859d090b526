package host

import (
	"strings"
	"testing"
)

// The hierarchy counts that tells most; the root of one tells nothing.
func TestOf(t *testing.T) {
	for text, want := range map[string]string{
		"":                                       "",
		"nonsense\n":                             "",
		"0::/\n":                                 "/",
		"0::/system.slice/x.scope\n":             "/system.slice/x.scope",
		"0::/gone (deleted)\n":                   "/gone",
		"4:memory:/m\n1:name=systemd:/s\n0::/\n": "/s",
		"4:memory:/m\n7:blkio:/b\n0::/\n":        "/b",
		"2:cpuset:/c\n4:cpu,memory:/m\n0::/\n":   "/m",
		"5:devices:/d:e\n0::/\n":                 "/d:e",
		"3:cpuset:/\n1:name=systemd:/\n0::/\n":   "/",
		"1:name=systemd:/s\n0::/user.slice/1\n":  "/user.slice/1",
	} {
		if got := CgroupIn(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A container is known by its path, whatever groups it makes within.
func TestAround(t *testing.T) {
	id := strings.Repeat("0123456789abcdef", 4)
	for group, want := range map[string]string{
		"/":                                     "",
		"":                                      "",
		"/docker/" + id:                         id,
		"/docker/" + id + "/app/worker":         id,
		"/system.slice/docker-" + id + ".scope": id,
		"/machine.slice/libpod-conmon-" + id + ".scope": "",
		"/kubepods/pod1/" + id[:63]:                     "",
	} {
		if got := ContainerAround(group); got != want {
			t.Errorf("%q: %q, want %q", group, got, want)
		}
	}
}

// The forms that runtimes give them.
func TestContainer(t *testing.T) {
	want := "c0ffee12" + strings.Repeat("0", idLength-8)
	for path, is := range map[string]bool{
		"/system.slice/docker-" + want + ".scope":  true,
		"/docker/" + want:                          true,
		"/machine.slice/libpod-" + want + ".scope": true,
		"/libpod_parent/libpod-" + want:            true,
		"/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" + want + ".scope":                         true,
		"/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod1_2.slice/cri-containerd-" + want + ".scope": true,
		"/kubepods.slice/kubepods-pod1_2.slice/crio-" + want + ".scope":                                              true,
		"/kubepods/besteffort/pod0a6b5f0e-7f2c-4d5e-9d3b-0123456789ab/" + want:                                       true,
		"/k8s.io/" + want: true,
		"/machine.slice/libpod-conmon-" + want + ".scope":    false,
		"/machine.slice/libpod-" + want + ".scope/container": false,
		"/kubepods/pod0a6b5f0e-7f2c-4d5e-9d3b-0123456789ab":  false,
		"/system.slice/nginx.service":                        false,
		"/docker/" + want[1:]:                                false,
		"/docker/" + strings.ToUpper(want):                   false,
		"/docker/g" + want[1:]:                               false,
		"/":                                                  false,
		"/system.slice/docker-" + want + ".scope/system.slice/x.service": false,
	} {
		if got := ContainerOf(path); (got == want) != is || !is && got != "" {
			t.Errorf("%s: %q", path, got)
		}
	}
}
