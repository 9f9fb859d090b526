package chart

import (
	"strings"

	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
)

// A Section is charts over time that belong together, beneath a heading if it has one.
type Section struct {
	ID, Title, Note string
	Groups          []Group
	Folded          bool   // all of it is shown once somebody asks for it
	Less            string // what the groups are of which some are folded: "files"
}

// Group is the charts of one layer, device or file.
type Group struct {
	Name   string
	Charts []*Chart
	Later  bool // shown once somebody asks for it
	Desk   bool // so on a telephone alone
}

// First are the groups that are shown with the section.
func (s Section) First() []Group { return s.groups(false) }

// Rest are the others.
func (s Section) Rest() []Group { return s.groups(true) }

func (s Section) groups(later bool) (list []Group) {
	for _, g := range s.Groups {
		if g.Later == later {
			list = append(list, g)
		}
	}
	return list
}

// Inside says what is in a section that is folded.
func (s Section) Inside() string { return named(s.Groups) }

// Inside says what is in a group that is folded.
func (g Group) Inside() string { return Inside(g.Charts) }

// More says what the groups are that are folded.
func (s Section) More() string {
	rest := s.Rest()
	return unit.Count(int64(len(rest))) + " further " + s.Less + ": " + named(rest)
}

// Inside says what is shown of several charts that are folded.
func Inside(charts []*Chart) string {
	var names []string
	for i, c := range charts {
		name := c.Title
		if word, _, _ := strings.Cut(name, " "); i > 0 && word != strings.ToUpper(word) {
			name = strings.ToLower(name[:1]) + name[1:]
		}
		names = append(names, name)
	}
	return visible.Shorten(strings.Join(names, ", "), 200)
}

func named(groups []Group) string {
	names := make([]string, len(groups))
	for i, g := range groups {
		names[i] = g.Name
	}
	return visible.Shorten(strings.Join(names, ", "), 200)
}

// Shown are the charts of a group that are shown at once.
func (g Group) Shown() (list []*Chart) {
	for _, c := range g.Charts {
		if !c.Folded {
			list = append(list, c)
		}
	}
	return list
}

// Folded are the others.
func (g Group) Folded() (list []*Chart) {
	for _, c := range g.Charts {
		if c.Folded {
			list = append(list, c)
		}
	}
	return list
}
