package answer

// WorkKinds are the codes of sentences that name a kind of work.
var WorkKinds = map[string]bool{
	"amplified": true, "emulated_allocation": true, "growing_log": true, "blocking_submit": true, "ring_in_turn": true,
	"across_mounts": true, "via_temporary": true, "lock_polling": true, "read_again": true, "looked_for": true,
	"looked_at": true, "not_kept": true, "not_made": true, "copied_on_write": true, "scattered": true, "by_turns": true,
	"rewound": true, "reread": true, "read_within": true, "looked_again": true, "renamed_again": true,
	"copied_again": true, "saved": true, "written_over": true, "synced_over": true, "read_all": true,
	"temporary_files": true, "handed_over": true, "stamps_synced": true, "holes_copied": true, "holes_read": true,
	"reopened": true, "reopened_all": true, "listed_again": true, "replaced": true, "for_little": true,
	"made_again": true, "written_anew": true, "mapped_written": true, "core_dump": true, "rewritten": true,
	"deleted_again": true, "resolved_again": true,
	"removed_first": true, "zeros": true, "mount_sync": true, "mount_dirsync": true, "mount_discard": true,
	"mount_journal": true, "mount_atime": true, "mount_nobarrier": true, "per_call": true, "synced_directory": true,
	"synced_file": true, "shifted": true, "cut_small": true, "packed_here": true, "mount_unindexed": true,
	"mount_quotas": true, "synced_new": true,
}
