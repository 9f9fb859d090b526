// Package attribution gives the requests of a recording to the runs of a
// benchmark that made them.
package attribution
