package wording

import "github.com/iotrace/iotrace/analyzer/profile"

// Reason puts into words why a device moved other than calls did (a code of profile.Part); "" for what calls moved. A
// journal, if there is one, is only written: it is read when a file system is mounted.
func Reason(code string, journal bool) string {
	if code == profile.Metadata && !journal {
		return "metadata"
	}
	return reasons[code]
}

// reasons say why a device moved more, or less, than calls did. What calls moved needs no words.
var reasons = map[string]string{
	profile.Mapped: "mapped", profile.Metadata: "metadata and journal", profile.Partial: "rest of blocks",
	profile.ForWriting: "read to write parts of blocks", profile.Readahead: "read ahead, not used",
	profile.Unpacked:     "rest of compressed extents",
	profile.AgainEvicted: "read again, memory was short", profile.AgainDropped: "read again, had been dropped",
	profile.AgainDirect: "read again beside direct I/O", profile.Again: "written again", profile.Zeroes: "zeroes",
	profile.CopyUp: "copied up by the overlay", profile.Mirror: "mirrored", profile.Earlier: "changed before",
	profile.Zeroed: "zeroed by command", profile.Above: "for the device above", profile.Swap: "swap",
	profile.ByOther: "others", profile.ByRecorder: "recorder", profile.Untold: "files not recorded",
	profile.Cached: "from memory", profile.Holes: "holes", profile.Inline: "with the metadata",
	profile.Overwritten: "overwritten in memory",
	profile.Compressed:  "compressed", profile.Deleted: "deleted before", profile.InMemory: "in memory",
	profile.Elsewhere: "not on a device here",
}
