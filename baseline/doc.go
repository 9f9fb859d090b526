// Package baseline is the catalogue of the benchmarks that people quote, and the types of their results. Nothing is
// measured here.
//
// A [Pattern] says what a named benchmark does: steps of reading, writing or copying, each with its block size, queue
// depth, cache mode and limits. It also has the source of that, and which values are only inferred. [Catalogue] lists
// them; [Lookup] finds them by name; [PlanOf] says what running them would write. A [Report] has every run.
//
// A [Forecast] says how long a run takes, by a [Trial] of each kind of step before it and by what is measured during
// it. It has no clock of its own.
package baseline
