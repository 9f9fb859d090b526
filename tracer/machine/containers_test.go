package machine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// id is the ID of a container that begins with some digits.
func id(begin string) string { return begin + strings.Repeat("0", 64-len(begin)) }

// The state of runtimes, as they write it, and as it is damaged.
func TestNames(t *testing.T) {
	root := t.TempDir()
	docker, podman, crio, pod := id("d0c4e2"), id("90d3a1"), id("c210"), id("8a5")
	for file, text := range map[string]string{
		"var/lib/docker/containers/" + docker + "/config.v2.json": `{"StreamConfig":{},"State":{"Running":true,"Pid":812},` +
			`"ID":"` + docker + `","Created":"2026-11-27T10:00:00Z","Path":"nginx","Name":"/web","Driver":"overlay2"}`,
		"var/lib/docker/containers/" + id("bad") + "/config.v2.json": `{"ID":"` + id("bad") + `","Name":`,
		"var/lib/containers/storage/overlay-containers/containers.json": `[{"id":"` + podman + `","names":["db"],` +
			`"image":"5e","layer":"6f","metadata":"{\"image-name\":\"postgres\"}","created":"2026-11-27T10:00:00Z"},` +
			`{"id":"` + crio + `","names":["k8s_app_shop-1_default_uid_0"]}]`,
		"var/lib/containers/storage/vfs-containers/containers.json": `null`,
		"run/containerd/io.containerd.runtime.v2.task/k8s.io/" + pod + "/config.json": `{"ociVersion":"1.2.0",` +
			`"annotations":{"io.kubernetes.cri.container-name":"app","io.kubernetes.cri.container-type":"container",` +
			`"io.kubernetes.cri.sandbox-name":"shop-7d9f"}}`,
		"run/containerd/io.containerd.runtime.v2.task/default/" + id("aa") + "/config.json": `[]`,
	} {
		path := filepath.Join(root, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got := names(root)
	want := map[string][]string{docker: {"web"}, podman: {"db"}, crio: {"k8s_app_shop-1_default_uid_0"},
		pod: {"app", "shop-7d9f"}}
	if len(got) != len(want) {
		t.Errorf("%v", got)
	}
	for id, names := range want {
		if !slices.Equal(got[id], names) {
			t.Errorf("%s: %v, want %v", id, got[id], names)
		}
	}
}

func TestChoose(t *testing.T) {
	one, two, three, gone := id("abcd1"), id("abcd2"), id("ef01"), id("dead")
	list := []Container{{one, []string{"app", "shop"}, Group{Path: "/1"}},
		{two, []string{"proxy", "shop"}, Group{Path: "/2"}}, {three, nil, Group{Path: "/3"}}}
	known := map[string][]string{one: list[0].Names, two: list[1].Names, gone: {"old"}}
	for name, want := range map[string]string{
		"app": "/1", "/app": "/1", "shop": "/1 /2", one: "/1", "abcd1": "/1", "ef01": "/3", three[:shortLength]: "/3",
		"abcd": "container abcd: several IDs begin like this: app, shop (abcd10000000), proxy, shop (abcd20000000)",
		"old":  "container old: it does not run; start it first, or record its slice with --cgroup",
		"dead": "container dead: it does not run; start it first, or record its slice with --cgroup",
		"ef0": "container ef0: no running container has this name or ID; there are app, shop (abcd10000000), " +
			"proxy, shop (abcd20000000), ef0100000000",
	} {
		groups, err := choose(name, list, known)
		var paths []string
		for _, g := range groups {
			paths = append(paths, g.Path)
		}
		got := strings.Join(paths, " ")
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if _, err := choose("x", nil, nil); err == nil || !strings.Contains(err.Error(), "no container runs") {
		t.Errorf("without any: %v", err)
	}
}
