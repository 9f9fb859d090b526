package answer

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
)

// Where others come first, the first cause of the program's own is named too, if it is worth it and known.
func TestNext(t *testing.T) {
	others := profile.Reason{Code: cause.CPUContention, Share: 0.5, Certainty: cause.Measured}
	reason := func(code string, share float64, sure string) profile.Reason {
		return profile.Reason{Code: code, Share: share, Certainty: sure, Text: "seen 3 times"}
	}
	for _, test := range []struct {
		name   string
		causes []profile.Reason
		want   string
	}{
		{"nothing", nil, ""},
		{"others alone", []profile.Reason{others}, ""},
		{"its own first", []profile.Reason{reason(cause.OwnCPU, 0.6, cause.Measured),
			reason(cause.Sync, 0.4, cause.Measured)}, ""},
		{"others on the processors", []profile.Reason{others, reason(cause.Sync, 0.4, cause.Measured)},
			"waiting for data to be durable (sync), 40 %: seen 3 times"},
		{"others in two places", []profile.Reason{others, reason(cause.OtherUsers, 0.3, cause.Likely),
			reason(cause.Names, 0.2, cause.Measured)}, "metadata calls, 20 %: seen 3 times"},
		{"a host that ran others", []profile.Reason{reason(cause.StolenCPU, 0.5, cause.Likely),
			reason(cause.OwnCPU, 0.4, cause.Likely)}, "the program's own CPU time, 40 %: seen 3 times"},
		{"a little", []profile.Reason{others, reason(cause.Sync, 0.09, cause.Measured)}, ""},
		{"no figure", []profile.Reason{others, {Code: cause.PageCache, Share: 0.4, Certainty: cause.Measured,
			Text: "copied in memory"}}, "copying through the page cache, 40 %"},
		{"what is not known", []profile.Reason{others, reason(cause.BlockedInCall, 0.4, cause.Open)}, ""},
	} {
		p := &profile.Profile{}
		p.Verdict.Causes = test.causes
		if got := next(p); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// Where a server slept within its answers, as it may be meant to, what else they took is named, and what helps; a
// command that slept is asked why.
func TestNextOfASleepingServer(t *testing.T) {
	for _, c := range []struct {
		operations *profile.Operations
		next, try  string
	}{
		{&profile.Operations{}, "40 %: waiting for a lock on cart.lock", "a shorter time under the lock"},
		{nil, "", ""},
	} {
		p := &profile.Profile{Operations: c.operations}
		p.Verdict.Causes = []profile.Reason{
			{Code: cause.ThinkTime, Share: 0.5, Certainty: cause.Measured},
			{Code: cause.BlockedInCall, Share: 0.4, Certainty: cause.Measured, Text: "waiting for a lock on cart.lock",
				Remedy: "a shorter time under the lock; a lock for each"}}
		if got := next(p); got != c.next {
			t.Errorf("next: %q, want %q", got, c.next)
		}
		if _, got := help(p); got != c.try {
			t.Errorf("try: %q, want %q", got, c.try)
		}
	}
}

// What helps against that cause is said behind what helps against others, if it was seen for sure.
func TestTryNext(t *testing.T) {
	for sure, want := range map[string]string{
		cause.Measured: "fewer programs, and then sync less", cause.Likely: "fewer programs",
	} {
		p := &profile.Profile{}
		p.Verdict.Causes = []profile.Reason{
			{Code: cause.CPUContention, Share: 0.5, Certainty: cause.Measured, Remedy: "fewer programs"},
			{Code: cause.Sync, Share: 0.4, Certainty: sure, Remedy: "sync less; or not at all"}}
		if label, got := help(p); label != Try || got != want {
			t.Errorf("%s: %s %q, want %q", sure, label, got, want)
		}
	}
}

// Where there is room for one row, what others could do less of gives way to what to do of one's own, and no row ends
// before that.
func TestTryNextInARow(t *testing.T) {
	for text, want := range map[string]string{
		"fewer programs, a higher priority" + andThen + "write only what has changed, within them or beside them"://
		"fewer programs" + andThen + "write only what has changed",
		"run while nothing else uses the drive" + andThen + "one transaction for many of the rows that it writes"://
		"run while nothing else uses the drive" + andThen + "one transaction …",
		"fewer programs, a higher priority": "fewer programs, a higher priority",
	} {
		lines := oneRow(Try)(firstForOthers([]profile.AnswerLine{{Label: Try, Text: text}}))
		if got := lines[0].Text; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A row ends in no parentheses.
func TestClause(t *testing.T) {
	for text, want := range map[string]string{
		"it was ready to run, but others (corpus.test, rooms and golangci-lint-v) had 1.7": "",
		"it was ready to run while others had all of it (corpus.test, rooms and golangci-lint-v)"://
		"it was ready to run while others had all of it",
		"30 fsync calls of 22.2 ms each, with 16 KiB between them, and nothing else besides"://
		"30 fsync calls of 22.2 ms each, with 16 KiB between them",
	} {
		if got := text[:clause(text)]; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
