package baseline

import (
	"fmt"
	"time"
)

const atSource = "AnandTech 2017-2020 consumer SSD suite (article 16458, pages 3-5) and the changes of 2021 (16798)"

var atUnits = Inference{"sizes in binary units", "the articles write KB, MB and GB"}

// anandTech: bursts with idle time, sustained transfers over rising depths,
// and mixes of reads and writes.
func anandTech() []Pattern {
	seq := Step{Access: Sequential, Block: 128 * kib, Depth: 1, Threads: 1, Cache: Direct, FileSize: 64 * gib,
		Data: RandomData}
	rnd := seq
	rnd.Access, rnd.Block = Random, 4*kib
	minute := Limit{Time: time.Minute, Bytes: 32 * gib}

	all := atBurst("burst-seq", "sequential bursts of 128 MiB", seq, Burst{Bytes: 128 * mib, Count: 8, Duty: 0.2})
	all = append(all, atBurst("burst-rnd", "random bursts of 64 MiB", rnd, Burst{Bytes: 64 * mib, Count: 32, Duty: 0.2},
		Inference{"duty cycle 20 %", "stated for the sequential bursts"})...)
	seq.Limit, rnd.Limit = minute, minute
	all = append(all, atSustained("sustained-seq", "sequential 128 KiB", seq)...)
	all = append(all, atSustained("sustained-rnd", "random 4 KiB", rnd)...)
	all = append(all, atMixed("mixed-seq", "sequential 128 KiB", seq))
	rnd.Depth = 4
	all = append(all, atMixed("mixed-rnd", "random 4 KiB", rnd, Inference{"depth 4", "not printed in the sources read"}))
	return append(all, atFill())
}

func atBurst(name, what string, step Step, burst Burst, inferred ...Inference) []Pattern {
	step.FileSize = 16 * gib
	step.Burst = &burst
	step.Limit.Bytes = burst.Bytes * int64(burst.Count)
	return directions(Pattern{
		Name: "at/" + name, Title: "AnandTech: " + what + " at queue depth 1, busy 20 % of the time", Source: atSource,
		Inferred: append(inferred, atUnits), Target: TargetFile, Steps: []Step{step},
		Original: Original{Runs: 1, Pick: PickBurstMean, Factor: 1},
		Runs:     EnoughRuns,
	}, 0, Read, Write)
}

func atSustained(name, what string, step Step) []Pattern {
	var all []Pattern
	for _, op := range []Op{Read, Write} {
		p := Pattern{
			Name: "at/" + name + "/" + string(op), Title: "AnandTech: sustained " + what + ", queue depths 1 to 32, " +
				string(op),
			Source: atSource, Target: TargetFile,
			Inferred: []Inference{{"depths in powers of two", "the articles give 1 to 32"}, atUnits},
			Original: Original{Runs: 1, Pick: PickStepMean, Steps: []string{"qd1", "qd2", "qd4"}, Factor: 1},
			Runs:     1,
		}
		for depth := 1; depth <= 32; depth *= 2 {
			s := step
			s.Name, s.Op, s.Depth = fmt.Sprintf("qd%d", depth), op, depth
			if op == Write {
				s.Idle = time.Minute
			}
			p.Steps = append(p.Steps, s)
		}
		if op == Write {
			p.Inferred = append(p.Inferred, Inference{"1 min idle after each depth", "the articles say at most one minute"})
		}
		all = append(all, p)
	}
	return all
}

func atMixed(name, what string, step Step, inferred ...Inference) Pattern {
	p := Pattern{
		Name: "at/" + name, Title: fmt.Sprintf("AnandTech: mixed %s at queue depth %d, 0 to 100 %% reads", what, step.Depth),
		Source: atSource, Target: TargetFile,
		Inferred: append(inferred, Inference{"steps of 10 %", "not printed in the sources read"}, atUnits),
		Original: Original{Runs: 1, Pick: PickStepMean, Factor: 1},
		Runs:     1,
	}
	for share := 0; share <= 100; share += 10 {
		s := step
		s.Name, s.Op, s.ReadShare, s.SplitMix = fmt.Sprintf("r%d", share), Mixed, share, s.Access == Sequential
		p.Steps = append(p.Steps, s)
	}
	return p
}

func atFill() Pattern {
	step := Step{Op: Write, Access: Sequential, Block: 128 * kib, Depth: 32, Threads: 1, Cache: Direct, Data: RandomData}
	first, second := step, step
	first.Name, second.Name = "pass1", "pass2"
	return Pattern{
		Name: "at/drive-fill", Title: "AnandTech: the whole drive written twice, in order", Source: atSource,
		Inferred: []Inference{{"block 128 KiB, depth 32", "not printed in the sources read"}},
		Target:   TargetDevice, Steps: []Step{first, second},
		Original: Original{Runs: 1, Pick: PickPerStep, Factor: 1},
		Runs:     1,
	}
}
