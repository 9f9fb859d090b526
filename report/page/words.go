package page

import (
	"regexp"
	"strings"
	"sync"
)

// A word is a term of storage that not everybody knows. The page explains each
// that it uses once: at its first place, and in a list at the end.
type word struct {
	ID      string
	Term    string
	Meaning string

	first *regexp.Regexp // finds it in a text
}

// glossaryWords are explained in the order in which they build on one another.
// They are made for the first page: most commands write none.
var glossaryWords = sync.OnceValue(func() []word {
	return []word{
		term("call", "call", "system calls?|calls?", "a program asking the operating system for something: to read or "+
			"write a piece of a file, to open it"),
		term("request", "request", "requests?", "what the operating system sends to the drive; it may join several small "+
			"calls into one, or cut a large call up"),
		term("in-flight", "in flight", "in flight", "begun and not yet finished"),
		term("queue-depth", "queue depth (QD)", "queue depth|QD", "how many operations are in flight at once; most drives "+
			"reach their full speed only with several"),
		term("page-cache", "page cache", "page cache|in memory|from memory|cached", "memory in which the operating system "+
			"keeps what was read, and what was written until the drive has it"),
		term("cold", "cold and warm", "cold|warm", "cold: nothing of it is in memory and the drive has to be read; warm: "+
			"it was used shortly before and comes from memory"),
		term("readahead", "readahead", "readahead",
			"reading more of a file than was asked for, in the hope that it is wanted next"),
		term("fault", "page fault", "page faults?|faults?", "a program touching a part of a file that is mapped into its "+
			"memory and is not there yet: it waits for the drive without any call"),
		term("durable", "durable", "durable|on the device|on the disk|unwritten data", "written to the drive itself; until "+
			"then what was “written” is only in memory, and is lost if the power fails or the drive is unplugged"),
		term("sync", "fsync, fdatasync", "fsync|fdatasync|msync|syncfs|F_FULLFSYNC|syncs?",
			"calls with which a program waits until its data is durable"),
		term("metadata", "metadata", "metadata", "what a file system notes about files: names, sizes, where their data is"),
		term("kernel-copy", "in-kernel copy", "copy_file_range|sendfile|splice|in the kernel|in-kernel",
			"one call copies the data without the program seeing it (copy_file_range, sendfile, splice); the system chooses "+
				"the block size"),
		term("loop", "reads and writes", "read_write|loop of reads and writes",
			"the program reads a block into its memory and writes it out again, block after block"),
		term("reflink", "reflink, clone", "reflink|FICLONE|clonefile|clones?",
			"the copy points to the data of its source until one of them is changed: no data moves"),
		term("block", "KiB, MiB", "KiB|MiB", "1024 bytes, 1024 KiB: sizes of blocks. MB and GB are powers of ten: amounts "+
			"and speeds"),
		term("median", "median (p50)", "in the median|medians?|p50", "half of the values are smaller and half are larger"),
		term("percentile", "99th percentile (p99)", "99th percentile|one in a hundred|p99",
			"99 of 100 values are smaller: how bad the bad ones are"),
		term("sequential", "sequential, random", "sequential|random|strided|interleaved", "sequential: one piece after the "+
			"other as they lie in the file; random: jumping about, which costs most drives time"),
		term("amplification", "amplification", "amplification",
			"how many bytes the drive moved for each byte that the program asked for"),
		term("slc", "SLC cache", "SLC", "a fast part of a flash drive that takes writes first; when it is full, the drive "+
			"falls to its true speed"),
		term("lock", "lock", "locks?|futex", "one part of a program waiting for another"),
	}
})

func term(id, term, forms, meaning string) word {
	return word{ID: id, Term: term, Meaning: meaning, first: regexp.MustCompile(`(?i)\b(?:` + forms + `)\b`)}
}

// A piece is a part of a sentence, which a word may explain.
type piece struct {
	Text string
	Word *word
}

// glossary explains words at their first place, and knows which it did.
type glossary struct {
	used map[string]bool
}

// pieces cuts a text at the words that were not met before.
func (g *glossary) pieces(text string) []piece {
	words := glossaryWords()
	for i := range words {
		w := &words[i]
		at := w.first.FindStringIndex(text)
		if g.used[w.ID] || at == nil {
			continue
		}
		if g.used == nil {
			g.used = map[string]bool{}
		}
		g.used[w.ID] = true
		list := g.pieces(text[:at[0]])
		list = append(list, piece{text[at[0]:at[1]], w})
		return append(list, g.pieces(text[at[1]:])...)
	}
	if text == "" {
		return nil
	}
	return []piece{{Text: text}}
}

// mentions notes words that only a heading or a column has.
func (g *glossary) mentions(texts ...string) { g.pieces(strings.Join(texts, ". ")) }

// list is what was used.
func (g *glossary) list() []word {
	var list []word
	for _, w := range glossaryWords() {
		if g.used[w.ID] {
			list = append(list, w)
		}
	}
	return list
}
