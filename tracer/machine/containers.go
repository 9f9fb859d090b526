package machine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/internal/host"
)

// Container is one that runs. It is known by its path, which holds the ID, whatever runtime made it (Docker, Podman,
// containerd, CRI-O, Kubernetes). Names are in the state of the runtimes, where that can be read.
type Container struct {
	ID    string
	Names []string // its own, as the runtime calls it, and that of its pod
	Group Group
}

const (
	shortLength = 12 // as runtimes print them
	leastPrefix = 4
	mostListed  = 10
)

// running lists the containers that have a control group.
func running(known map[string][]string) ([]Container, error) {
	groups, err := Groups(func(path string) bool { return host.ContainerOf(path) != "" })
	if err != nil {
		return nil, err
	}
	var list []Container
	for _, g := range groups {
		id := host.ContainerOf(g.Path)
		at := slices.IndexFunc(list, func(c Container) bool { return c.ID == id })
		switch {
		case at < 0:
			list = append(list, Container{ID: id, Names: known[id], Group: g})
		case empty(list[at].Group) && !empty(g): // in a hierarchy that its runtime uses
			list[at].Group = g
		}
	}
	return list, nil
}

func empty(g Group) bool {
	pids, err := g.Processes()
	return err != nil || len(pids) == 0
}

// Containers are the groups of the running containers of a name, an ID or the beginning of one: several, if it is the
// name of a pod.
func Containers(name string) ([]Group, error) {
	known := names(stateRoot)
	list, err := running(known)
	if err != nil {
		return nil, err
	}
	return choose(name, list, known)
}

func choose(name string, list []Container, known map[string][]string) (groups []Group, err error) {
	name = strings.TrimPrefix(name, "/") // as Docker has it in places
	var found []Container
	for _, c := range list {
		if slices.Contains(c.Names, name) || c.ID == name {
			found = append(found, c)
		}
	}
	if len(found) == 0 && len(name) >= leastPrefix {
		for _, c := range list {
			if strings.HasPrefix(c.ID, name) {
				found = append(found, c)
			}
		}
		if len(found) > 1 {
			return nil, fmt.Errorf("container %s: several IDs begin like this: %s", name, described(found))
		}
	}
	for _, c := range found {
		g := c.Group
		g.Name = name
		groups = append(groups, g)
	}
	switch {
	case len(found) > 0:
		return groups, nil
	case stopped(name, known):
		return nil, fmt.Errorf("container %s: %w; start it first, or record its slice with --cgroup", name, errStopped)
	case len(list) == 0:
		return nil, fmt.Errorf("container %s: %w; no container runs", name, errNoContainer)
	}
	return nil, fmt.Errorf("container %s: %w; there are %s", name, errNoContainer, described(list))
}

var (
	errStopped     = errors.New("it does not run")
	errNoContainer = errors.New("no running container has this name or ID")
)

func stopped(name string, known map[string][]string) bool {
	for id, names := range known {
		if slices.Contains(names, name) || len(name) >= leastPrefix && strings.HasPrefix(id, name) {
			return true
		}
	}
	return false
}

// described lists containers for a message.
func described(list []Container) string {
	var words []string
	for _, c := range list[:min(len(list), mostListed)] {
		word := c.ID[:shortLength]
		if len(c.Names) > 0 {
			word = strings.Join(c.Names, ", ") + " (" + word + ")"
		}
		words = append(words, word)
	}
	if n := len(list) - mostListed; n > 0 {
		words = append(words, fmt.Sprintf("%d more", n))
	}
	return strings.Join(words, ", ")
}
