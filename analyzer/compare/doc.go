// Package compare compares two workloads: traces, bench results and the
// declared values of benchmark patterns. It says in which dimensions they
// differ, by how much and in words, and how similar they are on the whole.
//
// The dimensions, distances, the similarity and the JSON form are defined in
// docs/diff.md.
package compare
