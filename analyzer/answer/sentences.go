package answer

import "github.com/iotrace/iotrace/analyzer/profile"

// Sentences are the observations on a profile, in the order in which they are
// read.
func Sentences(p *profile.Profile) []profile.Sentence {
	o := &observer{p: p, list: []profile.Sentence{}}
	for _, about := range []func(*observer){
		failures, kinds, observeCopies, groups, wall, syncs, fullSyncs, steps, observeDevices, files, launches, scrubs,
	} {
		about(o)
	}
	return o.list
}

// kinds names kinds of work that cost more than they seem to: they are told beside the verdict, whatever took the time.
func kinds(o *observer) {
	unflushed(o) // before what only costs time
	coreDumped(o)
	emulated(o)
	growing(o)
	stamps(o)
	submits(o)
	ringInTurn(o)
	copiedOnWrite(o)
	viaTemporary(o)
	packedHere(o)
	acrossMounts(o)
	shifted(o)
	cutSmall(o)
	polling(o)
	copiedAgain(o)
	rewritten(o)
	rewound(o)
	rereadAll(o)
	zeros(o)
	saved(o)
	deletedAgain(o)
	syncedNew(o)
	mounted(o)
	expanded(o)
	holes(o)
	reopened(o)
	reopenedAll(o)
	perCall(o)
	listedAgain(o)
	resolvedAgain(o)
	missing(o)
	lookedAt(o)
	renamedAgain(o)
	passing(o)
	unkept(o)
	unmade(o)
	scattered(o)
	byTurns(o)
	replaced(o)
	writtenAnew(o)
	madeAnew(o)
	again(o)
	over(o)
	readAll(o)
	mappedWritten(o)
	temporary(o)
	forLittle(o)
	observeAmplified(o) // which says least of why
}
