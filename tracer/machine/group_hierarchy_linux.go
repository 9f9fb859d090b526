package machine

import (
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/internal/host"
)

// maxGroups bounds the control groups that are looked at; of more, those that were joined first count.
const maxGroups = 256

// hierarchy is the tree of control groups in which a controller is.
type hierarchy struct {
	controller string
	root       string // where it is mounted; "" if it is not
	unified    bool   // it is version 2
}

// mounts are those of this process, none if they cannot be read.
func mounts() []host.Mount {
	text, err := os.ReadFile(host.OwnMounts)
	if err != nil {
		return nil
	}
	return host.ParseMounts(string(text))
}

// find finds the hierarchy of a controller: that of version 1 if it has one, which has one of these files in its root,
// else the unified one.
func find(mounts []host.Mount, controller string, files ...string) hierarchy {
	h := hierarchy{controller: controller}
	for _, m := range mounts {
		has := func(file string) bool { return exists(filepath.Join(m.Point, file)) }
		switch {
		case m.FSType == "cgroup" && slices.ContainsFunc(files, has):
			h.root, h.unified = m.Point, false
			return h
		case m.FSType == "cgroup2" && h.root == "":
			h.root, h.unified = m.Point, true
		}
	}
	return h
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// member is the group of this hierarchy among those of a process, "" if it has none.
func (h hierarchy) member(of string) string {
	if h.root == "" {
		return ""
	}
	for line := range strings.Lines(of) {
		number, rest, _ := strings.Cut(strings.TrimRight(line, "\n"), ":")
		controllers, path, _ := strings.Cut(rest, ":")
		if h.unified && number == "0" || !h.unified && slices.Contains(strings.Split(controllers, ","), h.controller) {
			return filepath.Clean("/" + path)
		}
	}
	return ""
}

// around are the group of this hierarchy among those of a process and those around it, up to the root.
func (h hierarchy) around(of string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for group := h.member(of); group != "" && yield(group) && group != "/"; group = filepath.Dir(group) {
		}
	}
}

// read is what a file of a group says, "" if it cannot be read: the group may be gone.
func (h hierarchy) read(group, file string) string {
	text, err := os.ReadFile(filepath.Join(h.root, group, file))
	if err != nil {
		return ""
	}
	return string(text)
}
