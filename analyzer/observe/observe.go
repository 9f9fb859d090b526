// Package observe writes the sentences of a profile. It knows the profile and
// not how it was made.
package observe

import "github.com/iotrace/iotrace/analyzer/profile"

// Sentences are the observations on a profile, in the order in which they are
// read.
func Sentences(p *profile.Profile) []profile.Sentence {
	o := &observer{p: p, list: []profile.Sentence{}}
	for _, about := range []func(*observer){
		failures, kinds, copies, groups, wall, syncs, fullSyncs, steps, devices, files, launches, scrubs,
	} {
		about(o)
	}
	return o.list
}
