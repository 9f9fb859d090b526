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
	copiedOnWrite(o)
	viaTemporary(o)
	acrossMounts(o)
	polling(o)
	copiedAgain(o)
	rewritten(o)
	rewound(o)
	rereadAll(o)
	zeros(o)
	saved(o)
	mounted(o)
	expanded(o)
	holes(o)
	reopened(o)
	reopenedAll(o)
	perCall(o)
	listedAgain(o)
	missing(o)
	lookedAt(o)
	renamedAgain(o)
	passing(o)
	unkept(o)
	scattered(o)
	byTurns(o)
	replaced(o)
	writtenAnew(o)
	again(o)
	over(o)
	readAll(o)
	mappedWritten(o)
	temporary(o)
	forLittle(o)
	observeAmplified(o) // which says least of why
}

// WorkKinds are the codes of sentences that name a kind of work.
var WorkKinds = map[string]bool{"amplified": true, "emulated_allocation": true, "growing_log": true,
	"blocking_submit": true, "across_mounts": true, "via_temporary": true, "lock_polling": true, "read_again": true,
	"looked_for": true, "looked_at": true, "not_kept": true, "copied_on_write": true, "scattered": true, "by_turns": true,
	"rewound": true, "reread": true, "read_within": true, "looked_again": true, "renamed_again": true,
	"copied_again": true, "saved": true,
	"written_over": true, "synced_over": true, "read_all": true, "temporary_files": true, "handed_over": true,
	"stamps_synced": true,
	"holes_copied":  true, "holes_read": true, "reopened": true, "reopened_all": true, "listed_again": true,
	"replaced": true, "for_little": true, "made_again": true, "written_anew": true,
	"mapped_written": true, "core_dump": true,
	"rewritten": true, "zeros": true,
	"mount_sync": true, "mount_dirsync": true, "mount_discard": true, "mount_journal": true,
	"mount_atime": true, "mount_nobarrier": true, "per_call": true, "synced_directory": true, "synced_file": true}
