package baseline

import (
	"fmt"
	"time"

	"github.com/iotrace/iotrace/internal/unit"
)

// markTest is one line of a CrystalDiskMark-like window.
type markTest struct {
	name    string
	block   int64
	depth   int
	threads int
	random  bool
}

var (
	seq1mQ8T1   = markTest{"seq1m-q8t1", mib, 8, 1, false}
	seq1mQ1T1   = markTest{"seq1m-q1t1", mib, 1, 1, false}
	seq128kQ32  = markTest{"seq128k-q32t1", 128 * kib, 32, 1, false}
	rnd4kQ32T1  = markTest{"rnd4k-q32t1", 4 * kib, 32, 1, true}
	rnd4kQ32T16 = markTest{"rnd4k-q32t16", 4 * kib, 32, 16, true}
	rnd4kQ1T1   = markTest{"rnd4k-q1t1", 4 * kib, 1, 1, true}
)

// markProfile is a set of such lines.
type markProfile struct {
	name  string
	tests []markTest
	ops   []Op
}

// The profiles that CrystalDiskMark and KDiskMark share.
var markProfiles = []markProfile{
	{"default", []markTest{seq1mQ8T1, seq1mQ1T1, rnd4kQ32T1, rnd4kQ1T1}, []Op{Read, Write, Mixed}},
	{"nvme", []markTest{seq1mQ8T1, seq128kQ32, rnd4kQ32T16, rnd4kQ1T1}, []Op{Read, Write, Mixed}},
	{"peak", []markTest{seq1mQ8T1, rnd4kQ32T1}, []Op{Read, Write, Mixed}},
	{"peak-nvme", []markTest{seq1mQ8T1, rnd4kQ32T16}, []Op{Read, Write, Mixed}},
	{"realworld", []markTest{seq1mQ1T1, rnd4kQ1T1}, []Op{Read, Write, Mixed}},
	{"demo", []markTest{seq1mQ8T1}, []Op{Read, Write}},
}

func (t markTest) title() string {
	order := "sequential"
	if t.random {
		order = "random"
	}
	text := fmt.Sprintf("%s %s, queue depth %d", order, unit.BlockSize(t.block), t.depth)
	if t.threads > 1 {
		text += fmt.Sprintf(" in each of %d threads", t.threads)
	}
	return text
}

func (t markTest) step(random, several Access) Step {
	s := Step{Access: Sequential, Block: t.block, Depth: t.depth, Threads: t.threads, Cache: Direct, FileSize: gib}
	switch {
	case t.random:
		s.Access = random
	case t.threads > 1:
		s.Access = several
	}
	return s
}

const cdmSource = "CrystalDiskMark source, DiskBench.cpp and DiskMarkDlg.cpp, commit bf00fa6 (9.0.1); test count " +
	"of 8.x from its history"

// crystalDiskMark: each test runs count+1 times for the full measuring time,
// run 0 is thrown away, the score is the best of the others. Its file is one
// random MiB over and over.
func crystalDiskMark() []Pattern {
	var all []Pattern
	for _, version := range []struct {
		name  string
		runs  int
		flash bool
	}{{"cdm@9", 3, true}, {"cdm@8", 5, false}} {
		profiles := markProfiles
		if version.flash {
			profiles = append(profiles[:len(profiles):len(profiles)], markProfile{"flash", markProfiles[0].tests,
				[]Op{Read, Write}})
		}
		for _, profile := range profiles {
			measure, pause := 5*time.Second, 5*time.Second
			if profile.name == "flash" {
				measure, pause = time.Second, 30*time.Second
			}
			for _, t := range profile.tests {
				step := t.step(Random, Shared) // diskspd -r; -si with several threads
				step.Limit.Time = measure
				step.Data = Repeat1MiB
				all = append(all, directions(Pattern{
					Name:   version.name + "/" + profile.name + "/" + t.name,
					Title:  "CrystalDiskMark " + version.name[len("cdm@"):] + ", " + profile.name + ": " + t.title(),
					Source: cdmSource,
					Inferred: []Inference{
						{"sequential position of a mix", "diskspd -w with one position for reads and writes; from its options, not " +
							"traced"},
					},
					Target:   TargetFile,
					Steps:    []Step{step},
					Original: Original{Runs: version.runs, Discard: 1, Pick: PickMax, Factor: 1},
					Runs:     EnoughRuns, Discard: 1, Pause: pause,
				}, 70, profile.ops...)...)
			}
		}
	}
	return all
}

// kDiskMark runs fio without time_based: a test ends after 1 GiB per job or 5
// seconds, whichever is first. It divides fio's KiB/s by 1000 and calls that
// MB/s, so its numbers are too low by the factor 1.024.
func kDiskMark() []Pattern {
	var all []Pattern
	for _, profile := range markProfiles {
		pick := PickMax
		if profile.name == "default" || profile.name == "nvme" {
			pick = PickMean
		}
		for _, t := range profile.tests {
			step := t.step(Shuffled, Sequential) // fio's random map; jobs that each read the whole file
			step.Limit = Limit{Time: 5 * time.Second, Bytes: gib}
			step.Data, step.Sync, step.SplitMix = RandomData, SyncEnd, !t.random
			all = append(all, directions(Pattern{
				Name:   "kdm@3/" + profile.name + "/" + t.name,
				Title:  "KDiskMark 3, " + profile.name + ": " + t.title(),
				Source: "KDiskMark source, appsettings.cpp, helper.cpp and benchmark.cpp, 3.3.0 and commit e78d3c7",
				Inferred: []Inference{
					{"pick of the nvme preset", "taken to be the mean, as in the default profile, of which it is a preset"},
				},
				Target:   TargetFile,
				Steps:    []Step{step},
				Original: Original{Runs: 5, Pick: pick, Factor: 1 / 1.024},
				Runs:     EnoughRuns, Pause: 5 * time.Second, DropCaches: true, NoCOW: true,
			}, 70, profile.ops...)...)
		}
	}
	for i := range all {
		if all[i].Steps[0].Op != Mixed {
			all[i].Steps[0].SplitMix = false
			continue
		}
		// Of a mix it shows 0.7 R + 0.3 W, where R and W are 0.7 and 0.3 of the whole.
		all[i].Original.Factor *= 0.7*0.7 + 0.3*0.3
	}
	return all
}

// amorphousDiskMark is a closed program that resembles CrystalDiskMark.
func amorphousDiskMark() []Pattern {
	var all []Pattern
	for _, t := range []markTest{
		{"seq1m-qd8", mib, 8, 1, false}, {"seq1m-qd1", mib, 1, 1, false},
		{"rnd4k-qd64", 4 * kib, 64, 1, true}, {"rnd4k-qd1", 4 * kib, 1, 1, true},
	} {
		step := t.step(Random, Sequential)
		step.Limit.Time = 5 * time.Second
		step.Data = RandomData
		all = append(all, directions(Pattern{
			Name:   "adm/default/" + t.name,
			Title:  "AmorphousDiskMark: " + t.title(),
			Source: "public reports of its tests (closed source): SEQ1M QD8, SEQ1M QD1, RND4K QD64, RND4K QD1, 5 runs of 1 GB",
			Inferred: []Inference{
				{"measuring time 5 s, pause 5 s", "those of CrystalDiskMark, which it is modelled on"},
				{"shows the best of the runs", "as CrystalDiskMark does"},
				{"size 1 GiB", "reports say 1 GB; CrystalDiskMark's unit is GiB"},
				{"data random", "not published"},
				{"mechanism of the depth", "not published; threads on macOS, where a process may have only 16 POSIX AIO " +
					"requests outstanding"},
			},
			Target:   TargetFile,
			Steps:    []Step{step},
			Original: Original{Runs: 5, Pick: PickMax, Factor: 1},
			Runs:     EnoughRuns, Discard: 1, Pause: 5 * time.Second,
		}, 0, Read, Write)...)
	}
	return all
}
