// Package compare sets two workloads side by side: traces, bench results and
// the declared values of benchmark patterns. It says in which dimensions they
// differ, by how much and in words, and how similar they are on the whole.
//
// The dimensions, distances and the similarity are defined in docs/diff.md, the
// JSON form in docs/json.md.
package compare
