package usage

import (
	"path"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// unmade finds files that were read as what a program keeps of them was not there, as compiled modules beside their
// sources.
func (c *Lookups) unmade() (most *profile.Unmade) {
	sources, pairs := map[string]string{}, map[[2]string]int64{}
	c.each(func(f *world.File, s *looked) {
		if f.Kind == trace.FileRegular && s.used {
			sources[stem(path.Dir(f.Path), f.Path)] = path.Ext(f.Path)
		}
	})
	c.each(func(f *world.File, s *looked) {
		if !s.unopened || s.used || f.Created {
			return
		}
		dir, to := path.Dir(f.Path), path.Ext(f.Path)
		from, ok := sources[stem(dir, f.Path)]
		if !ok {
			from = sources[stem(path.Dir(dir), f.Path)]
		}
		if from != "" && from != to && to != "" {
			pairs[[2]string{from, to}]++
		}
	})
	for x, n := range pairs {
		if u := (profile.Unmade{From: x[0], To: x[1], Files: n}); most == nil || n > most.Files ||
			n == most.Files && u.From+u.To < most.From+most.To {
			most = &u
		}
	}
	return most
}

// each goes through the files that calls asked for by name.
func (c *Lookups) each(take func(f *world.File, s *looked)) {
	for _, f := range c.files.All {
		if s := c.of.Known(f.Number); s != nil && f.Path != "" && !f.Stream() {
			take(f, s)
		}
	}
}

// stem is the name of a file before its first dot, in a directory.
func stem(dir, file string) string {
	name, _, _ := strings.Cut(path.Base(file), ".")
	return dir + "/" + name
}
