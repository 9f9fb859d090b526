package baseline

// blackmagic: what Blackmagic Disk Speed Test asks of the system is not
// published. Two hypotheses stand side by side, and a trace of the program can
// choose between them.
func blackmagic() []Pattern {
	source := "public descriptions of Blackmagic Disk Speed Test (closed source). It writes, then reads a temporary " +
		"file of 1 to 5 GB in a loop. One public trace shows 1 MB records in bursts, several within 1-2 µs"
	common := []Inference{
		{"data random", "not published"},
		{"uncached", "not published; the rates it shows leave no room for the page cache"},
		{"overwrites one file", "not published; it may as well make a new one in each loop"},
		{"shows the last loop", "not published; the gauges may also show a mean"},
	}
	loop := func(name, title string, block int64, depth int, why Inference) Pattern {
		step := func(op Op) Step {
			return Step{Name: string(op), Op: op, Access: Sequential, Block: block, Depth: depth, Threads: 1, Cache: Direct,
				FileSize: 5 * gb / block * block, Data: RandomData}
		}
		return Pattern{
			Name: "bmdst-like/" + name, Title: title, Source: source, Inferred: append([]Inference{why}, common...),
			Target: TargetFile, Steps: []Step{step(Write), step(Read)},
			Original: Original{Runs: EnoughRuns, Pick: PickLast, Factor: 1},
			Runs:     EnoughRuns,
		}
	}
	return []Pattern{
		loop("h1-async", "like Blackmagic Disk Speed Test, hypothesis 1: 1 MiB blocks, 8 outstanding", mib, 8,
			Inference{"block 1 MiB, depth 8", "hypothesis: the program keeps several 1 MB requests outstanding"}),
		loop("h2-bigwrite", "like Blackmagic Disk Speed Test, hypothesis 2: 8 MiB blocks, one at a time", 8*mib, 1,
			Inference{"block 8 MiB, depth 1", "hypothesis: the system splits large calls into the 1 MB records; 4 to 32 " +
				"MiB are as likely"}),
	}
}

// goldSizes are the sizes of Stibium's gold standard test, in decimal bytes.
var goldSizes = []int64{2 * mb, 4 * mb, 6 * mb, 8 * mb, 10 * mb, 20 * mb, 40 * mb, 60 * mb, 80 * mb, 100 * mb,
	200 * mb, 400 * mb, 600 * mb, 800 * mb, 1 * gb, 2 * gb}

// earlySizes stand for the 14 sizes of its first versions.
var earlySizes = []int64{10 * kb, 50 * kb, 100 * kb, 500 * kb, 1 * mb, 5 * mb, 10 * mb, 50 * mb, 100 * mb,
	200 * mb, 500 * mb, 1 * gb, 1500 * mb, 2 * gb}

// stibium writes many files of many sizes, reads them all again, and takes the
// rate from the slope of time over size.
func stibium() []Pattern {
	pattern := func(name, title string, files FileSet, sync Sync, inferred ...Inference) Pattern {
		step := Step{Access: Sequential, Block: mib, Depth: 1, Threads: 1, Blocking: true, Files: &files, Data: ByteA}
		write, read := step, step
		write.Name, write.Op, write.Cache, write.Sync = "write", Write, Buffered, sync
		write.Fresh = true
		read.Name, read.Op, read.Cache = "read", Read, Uncached
		return Pattern{
			Name: "stibium/" + name, Title: title,
			Source: "eclecticlight.co, articles on Stibium of 2020-12 to 2022-05: files written with Data.write, read " +
				"uncached, filled with 0x41",
			Inferred: append(inferred,
				Inference{"calls of 1 MiB", "Foundation chooses them; the articles do not say how"}),
			Target: TargetFile, Steps: []Step{write, read},
			Original: Original{Runs: 1, Pick: PickRegression, Factor: 1},
			Runs:     1, DropCaches: true,
		}
	}
	return []Pattern{
		pattern("gold", "Stibium gold standard: 160 files of 2 MB to 2 GB written, then read",
			FileSet{Sizes: goldSizes, Rounds: 10, Shuffle: true}, SyncNone,
			Inference{"the 16 sizes", "not printed anywhere; 16 × 10 files make the published 160 files and 53.3 GB"}),
		pattern("early", "Stibium's first versions: 140 files of 10 KB to 2 GB written, then read",
			FileSet{Sizes: earlySizes, Rounds: 10}, SyncEnd,
			Inference{"the 14 sizes", "only their number and range are published"}),
	}
}
