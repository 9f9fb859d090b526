package machine

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// stateRoot is where the state of the runtimes is.
const stateRoot = "/"

// mostState bounds a file of state that is read.
const mostState = 16 << 20

// ContainerNames are those of all containers that runtimes keep state of here, by ID, running or not.
func ContainerNames() map[string][]string { return names(stateRoot) }

// names are those of all containers that runtimes keep state of below a directory, by ID, running or not. What cannot
// be read, or is not in the form that is known, names nobody.
func names(root string) map[string][]string {
	known := map[string][]string{}
	add := func(id string, names ...string) {
		for _, n := range names {
			if n = strings.TrimPrefix(n, "/"); n != "" {
				known[id] = append(known[id], n)
			}
		}
	}
	for _, file := range stateFiles(root, "var/lib/docker/containers/*/config.v2.json") {
		var c struct{ ID, Name string }
		if readState(file, &c) {
			add(c.ID, c.Name)
		}
	}
	// Podman and CRI-O keep them in storage of the same form.
	for _, file := range stateFiles(root, "var/lib/containers/storage/*-containers/containers.json") {
		var list []struct {
			ID    string   `json:"id"`
			Names []string `json:"names"`
		}
		if readState(file, &list) {
			for _, c := range list {
				add(c.ID, c.Names...)
			}
		}
	}
	// containerd names its bundles by ID. Kubernetes and nerdctl put names into their annotations.
	for _, file := range stateFiles(root, "run/containerd/io.containerd.runtime.v2.task/*/*/config.json") {
		var c struct {
			Annotations map[string]string `json:"annotations"`
		}
		if readState(file, &c) {
			a := c.Annotations
			add(filepath.Base(filepath.Dir(file)), a["nerdctl/name"], a["io.kubernetes.cri.container-name"],
				a["io.kubernetes.cri.sandbox-name"])
		}
	}
	return known
}

func stateFiles(root, pattern string) []string {
	list, _ := filepath.Glob(filepath.Join(root, pattern)) // the patterns are right
	return list
}

// readState reads a file of JSON.
func readState(file string, to any) bool {
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	return json.NewDecoder(io.LimitReader(f, mostState)).Decode(to) == nil
}
