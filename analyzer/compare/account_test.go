package compare

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// command is a profile of a command that took so long, by causes, with so many syncs.
func command(total, syncs int64, causes ...profile.Reason) *profile.Profile {
	return &profile.Profile{
		Command: []string{"x"}, TimeStack: profile.TimeStack{TotalNS: total}, Verdict: profile.Verdict{Causes: causes},
		Calls: []profile.Call{{Op: trace.OpSync, Name: "fsync", Count: syncs}}, WallNS: total, DurableNS: total,
	}
}

func causeOf(code, name string, ns int64) profile.Reason {
	return profile.Reason{Code: code, Name: name, TimeNS: ns}
}

func TestAccount(t *testing.T) {
	sync, cpu := "sync", "CPU"
	for _, c := range []struct {
		name    string
		before  []profile.Reason // nil: the program itself
		subject []*profile.Profile
		want    string
	}{
		{"more of one cause", nil,
			[]*profile.Profile{command(9e9, 300, causeOf("sync", sync, 8e9), causeOf("own_cpu", cpu, 1e9))},
			"b took 9.00 s, a 1.00 s: 9.0 times as long. What changed is sync: 8.00 s against none, " +
				"100 % of the difference. Amounts: syncs 300 against 0; calls 300 against 0."},
		{"less of one cause", nil, []*profile.Profile{command(3e8, 0, causeOf("own_cpu", cpu, 3e8))},
			"b took 300 ms, a 1.00 s: 30 % of the time. What changed is CPU: 300 ms against 900 ms, 86 % of " +
				"the difference."},
		{"the same", nil, []*profile.Profile{command(1.05e9, 0, causeOf("own_cpu", cpu, 1e9))},
			"b took 1.05 s, a 1.00 s: about as long."},
		{"another drive, given more at once", []profile.Reason{causeOf("device_latency", "sda read", 8e8)},
			[]*profile.Profile{command(5e8, 0, causeOf("device_bandwidth", "sdb read", 4e8))},
			"b took 500 ms, a 1.00 s: 50 % of the time. What changed is sdb read: 400 ms against 800 ms, 80 % of " +
				"the difference."},
		{"medians of runs", nil, []*profile.Profile{
			command(2e9, 0, causeOf("own_cpu", cpu, 2e9)), command(4e9, 0, causeOf("own_cpu", cpu, 3.9e9)),
			command(40e9, 0, causeOf("sync", sync, 38e9)),
		}, "b took 4.00 s (median of 3), a 1.00 s: 4.0 times as long. What changed is CPU: 3.90 s against " +
			"900 ms, 100 % of the difference."},
	} {
		t.Run(c.name, func(t *testing.T) {
			var runs []*Side
			for _, p := range c.subject {
				runs = append(runs, FromProfile("b", p))
			}
			b := Join(runs)
			b.Name = "b"
			before := c.before
			if before == nil {
				before = []profile.Reason{causeOf("own_cpu", cpu, 9e8)}
			}
			got := Compare(FromProfile("a", command(1e9, 0, before...)), b).Account
			if got == nil || got.Text != c.want {
				t.Errorf("\n got %+v\nwant %s", got, c.want)
			}
		})
	}
	if a := Compare(FromProfile("a", command(1e9, 0)), FromProfile("b", &profile.Profile{})).Account; a != nil {
		t.Errorf("a recording of no command has the account %+v", a)
	}
}

// worked is a command that wrote through calls, and whose devices wrote beside that its metadata.
func worked(total, written, metadata int64) *profile.Profile {
	p := command(total, 0)
	p.Layers = []profile.Layer{
		{Name: "calls", Write: &profile.Flow{Bytes: written, Count: 1}},
		{Name: "disk", Level: 1, Write: &profile.Flow{Bytes: written + metadata, Count: 1}},
	}
	p.Amounts.Devices = []profile.Amount{{Name: "vda", Write: profile.Moved{Moved: written, Device: written + metadata,
		Reasons: []profile.Part{{Code: profile.Data, Bytes: written}, {Code: profile.Metadata, Bytes: metadata}}}}}
	return p
}

// TestAmountsOfDevices: bytes at devices are told by their reason, what changed as the time did first; who did other
// work is not compared by rates.
func TestAmountsOfDevices(t *testing.T) {
	c := Compare(FromProfile("a", worked(1e9, 4<<20, 1<<20)), FromProfile("b", worked(3e9, 4<<20, 26<<20)))
	want := "b took 3.00 s, a 1.00 s: 3.0 times as long. Amounts: written (metadata and journal) 27.3 MB against " +
		"1.05 MB; written to drives 31.5 MB against 5.24 MB."
	if c.Account.Text != want {
		t.Errorf("\n got %s\nwant %s", c.Account.Text, want)
	}
	if d := c.Find("throughput"); strings.Contains(d.Reason, "different amounts") {
		t.Errorf("the same work: %s", d.Reason)
	}
	c = Compare(FromProfile("a", worked(46e9, 316<<20, 0)), FromProfile("b", worked(1e9, 1<<20, 0)))
	for _, code := range []string{"throughput", "durable_throughput"} {
		if d := c.Find(code); d.Verdict != "?" || !strings.Contains(d.Reason, "331 MB") || d.Ratio != nil {
			t.Errorf("%s: %+v", code, d)
		}
	}
	if first := c.Account.Amounts[0]; first.Subject >= first.Reference {
		t.Errorf("b took less time, and the first amount is %+v", first)
	}
}

// sparing is a command that moved as much by calls as others did, and whose device was spared a part of that.
func sparing(total int64, reads bool, moved, spared int64, code string) *profile.Profile {
	p := worked(total, 0, 0)
	flow, m := &profile.Flow{Bytes: moved, Count: 1}, profile.Moved{Moved: moved, Device: moved - spared,
		Reasons: []profile.Part{{Code: profile.Data, Bytes: moved - spared}},
		Spared:  []profile.Part{{Code: code, Bytes: spared}}}
	at := &profile.Flow{Bytes: moved - spared, Count: 1}
	p.Amounts.Devices[0].Write = profile.Moved{}
	if reads {
		p.Layers[0].Read, p.Layers[1].Read, p.Amounts.Devices[0].Read = flow, at, m
		p.Layers[0].Write, p.Layers[1].Write = nil, nil
		return p
	}
	p.Layers[0].Write, p.Layers[1].Write, p.Amounts.Devices[0].Write = flow, at, m
	return p
}

// TestAmountsOfTheSameCalls: where calls moved the same, what devices did more or less for them is told by its reason
// as soon as it may explain the outcome, and not only where it is half as much again.
func TestAmountsOfTheSameCalls(t *testing.T) {
	for name, c := range map[string]struct {
		a, b *profile.Profile
		want string
	}{
		"overwritten in memory": {sparing(1e9, false, 100e6, 22e6, profile.Overwritten),
			sparing(1.28e9, false, 100e6, 0, profile.Overwritten),
			"b took 1.28 s, a 1.00 s: 1.3 times as long. Amounts: not written (overwritten in memory) 0 B against " +
				"22.0 MB; written to drives 100 MB against 78.0 MB."},
		"in memory before": {sparing(1.3e9, true, 100e6, 0, profile.Cached), sparing(1e9, true, 100e6, 30e6, profile.Cached),
			"b took 1.00 s, a 1.30 s: 77 % of the time. Amounts: not read (from memory) 30.0 MB against 0 B; " +
				"read from drives 70.0 MB against 100 MB."},
		"about as long": {sparing(1e9, false, 100e6, 22e6, profile.Overwritten),
			sparing(1.02e9, false, 100e6, 18e6, profile.Overwritten), "b took 1.02 s, a 1.00 s: about as long."},
	} {
		got := Compare(FromProfile("a", c.a), FromProfile("b", c.b))
		if got.Account.Text != c.want {
			t.Errorf("%s\n got %s\nwant %s", name, got.Account.Text, c.want)
		}
		if d := got.Find("throughput"); strings.Contains(d.Reason, "different amounts") {
			t.Errorf("%s: the same work: %s", name, d.Reason)
		}
	}
}

// TestMostFirst: hardly anything against nothing does not come before much against some.
func TestMostFirst(t *testing.T) {
	a, b := worked(1e9, 4<<20, 1<<20), worked(3e9, 4<<20, 26<<20)
	m := &b.Amounts.Devices[0].Write
	m.Reasons = append(m.Reasons, profile.Part{Code: profile.Zeroes, Bytes: 1 << 20})
	want := "Amounts: written (metadata and journal) 27.3 MB against 1.05 MB; written to drives"
	if text := Compare(FromProfile("a", a), FromProfile("b", b)).Account.Text; !strings.Contains(text, want) {
		t.Errorf("%s", text)
	}
}

// did is a command that did so much of one kind of work beside what all do.
func did(more func(p *profile.Profile)) *profile.Profile {
	p := worked(1e9, 4<<20, 0)
	if more != nil {
		p.TimeStack.TotalNS = 3e9
		more(p)
	}
	return p
}

// TestEachAmount: whatever kind of work there was more of is told, with both amounts.
func TestEachAmount(t *testing.T) {
	device := func(f func(d *profile.Device)) func(p *profile.Profile) {
		return func(p *profile.Profile) {
			p.Devices = []profile.Device{{Name: "vda", Level: 1}}
			f(&p.Devices[0])
		}
	}
	calls := func(op trace.Op) func(p *profile.Profile) {
		return func(p *profile.Profile) { p.Calls = append(p.Calls, profile.Call{Op: op, Name: "x", Count: 900}) }
	}
	for words, more := range map[string]func(p *profile.Profile){
		"read by calls 8.39 MB against 0 B": func(p *profile.Profile) { p.Layers[0].Read = &profile.Flow{Bytes: 8 << 20} },
		"written by calls 12.6 MB against 4.19 MB": func(p *profile.Profile) {
			p.Layers[0].Write = &profile.Flow{Bytes: 12 << 20}
		},
		"read from drives 8.39 MB against 0 B": func(p *profile.Profile) { p.Layers[1].Read = &profile.Flow{Bytes: 8 << 20} },
		"written to drives 12.6 MB against 4.19 MB": func(p *profile.Profile) {
			p.Layers[1].Write = &profile.Flow{Bytes: 12 << 20}
		},
		"read (read ahead, not used) 8.39 MB against 0 B": func(p *profile.Profile) {
			p.Amounts.Devices[0].Read.Reasons = []profile.Part{{Code: profile.Readahead, Bytes: 8 << 20}}
		},
		"requests 500 against 0": device(func(d *profile.Device) { d.Read = &profile.Flow{Count: 500} }),
		"flushes 50 against 0":   device(func(d *profile.Device) { d.Flush = &profile.Flow{Count: 50} }),
		"syncs 900 against 0":    calls(trace.OpSync),
		"opens 900 against 0":    calls(trace.OpOpen),
		"calls 900 against 0":    calls(trace.OpStat),
		"files 300 against 0":    func(p *profile.Profile) { p.Files = make([]profile.File, 300) },
		"processes 9 against 0":  func(p *profile.Profile) { p.Processes = make([]profile.Process, 9) },
		"CPU time 2.00 s against 0 ns": func(p *profile.Profile) {
			p.Processes = []profile.Process{{CPUNS: 2e9}}
		},
		"copies 9 against 0":         func(p *profile.Profile) { p.Omitted.Copies = 9 },
		"copied 8.39 MB against 0 B": func(p *profile.Profile) { p.Omitted.CopyBytes = 8 << 20 },
	} {
		t.Run(words, func(t *testing.T) {
			text := Compare(FromProfile("a", did(nil)), FromProfile("b", did(more))).Account.Text
			if !strings.Contains(text, words) {
				t.Errorf("%q does not tell %q", text, words)
			}
		})
	}
}

// TestDecisiveAmountFirst: of what there was more of, that comes first of which the decisive cause is made, however
// much more there was of something else.
func TestDecisiveAmountFirst(t *testing.T) {
	for code, first := range map[string]string{"sync": "syncs", "own_cpu": "cpu", "names": "calls"} {
		a, b := worked(1e9, 4<<20, 0), worked(9e9, 4<<20, 0)
		b.Layers[0].Read = &profile.Flow{Bytes: 64 << 20}
		a.Calls = []profile.Call{{Op: trace.OpSync, Count: 100}}
		b.Calls = []profile.Call{{Op: trace.OpSync, Count: 400}}
		a.Processes, b.Processes = []profile.Process{{CPUNS: 1e9}}, []profile.Process{{CPUNS: 3e9}}
		a.Verdict.Causes = []profile.Reason{causeOf(code, "it", 1e9)}
		b.Verdict.Causes = []profile.Reason{causeOf(code, "it", 9e9)}
		if got := Compare(FromProfile("a", a), FromProfile("b", b)).Account.Amounts[0].Code; got != first {
			t.Errorf("what changed is %s, and the first amount is %s", code, got)
		}
	}
}

// TestAccountOfCopies: each copy that both made is set against itself, whatever directories they are in.
func TestAccountOfCopies(t *testing.T) {
	copied := func(dir string, method profile.Method, ns int64, device ...int64) *profile.Profile {
		p := command(2*ns, 0)
		for i, name := range []string{"small", "large", "alone" + dir} {
			p.Copies = append(p.Copies, profile.Copy{Source: dir + "/from/" + name, Destination: dir + "/to/" + name,
				Method: method, Bytes: 4 << 20, WallNS: ns * int64(i+1), DeviceWriteBytes: device[i],
				Read: &profile.Flow{Count: 1024}, Write: &profile.Flow{Count: 1024}})
		}
		return p
	}
	a := copied("/a", "copy_file_range", 1e8, 4<<20, 4<<20, 0)
	b := copied("/b", "read_write", 4e8, 4<<20, 64<<20, 0)
	list := Compare(FromProfile("a", a), FromProfile("b", b)).Account.Copies
	want := []string{
		"/b/from/large to /b/to/large: took 800 ms against 200 ms, written to drives 67.1 MB against 4.19 MB, " +
			"by read_write instead of copy_file_range",
		"/b/from/small to /b/to/small: took 400 ms against 100 ms, by read_write instead of copy_file_range",
	}
	if len(list) != len(want) {
		t.Fatalf("%+v", list)
	}
	for i := range want {
		if list[i].Words() != want[i] {
			t.Errorf("\n got %s\nwant %s", list[i].Words(), want[i])
		}
	}
	if same := Compare(FromProfile("a", a), FromProfile("a", a)).Account.Copies[0].Words(); same != "" {
		t.Errorf("the same copies: %s", same)
	}
}
