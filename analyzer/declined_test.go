package analyzer

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// saysFailed are the words for calls and requests that failed.
var saysFailed = regexp.MustCompile(`(?i)\bfail|\berror|support|\bE[A-Z]{4,}\b`)

// TestFailingCallsAreTold: what fails again and again, and takes the time, is told.
func TestFailingCallsAreTold(t *testing.T) {
	s, a, b := copying(t, MiB)
	for range 100 {
		s.call(trace.Syscall{Op: trace.OpXattr, Call: 7, File: b, Result: -95, Offset: trace.NoOffset}, ms)
	}
	s.loop(a, b, MiB, 64*KiB)
	p := s.finish()
	if text := p.Verdict.Causes[0].Text; !strings.Contains(text, "; 100 of them failed") {
		t.Errorf("%q", text)
	}
}

// TestDeclinedCallsAreNotTold: what the system declines, and a program then does in another way, is no failure that the
// first lines or the remedies tell of, however long the answer took.
func TestDeclinedCallsAreNotTold(t *testing.T) {
	const notSupported, noTTY, noSys, invalid, crossDevice, perm = 95, 25, 38, 22, 18, 1
	for name, call := range map[string]trace.Syscall{
		"fallocate":       {Op: trace.OpAllocate, Requested: MiB, Result: -notSupported},
		"punch":           {Op: trace.OpPunch, Requested: MiB, Result: -notSupported},
		"FICLONE":         {Op: trace.OpClone, Result: -notSupported},
		"FICLONE, ENOTTY": {Op: trace.OpClone, Result: -noTTY},
		"copy_file_range": {Op: trace.OpCopyRange, Requested: MiB, Result: -crossDevice},
		"isatty":          {Op: trace.OpIoctl, Result: -noTTY},
		"statx, ENOSYS":   {Op: trace.OpStat, Result: -noSys},
		"syncfs":          {Op: trace.OpSyncFS, Result: -noSys},
		"fadvise":         {Op: trace.OpAdvise, Result: -invalid},
		"listxattr":       {Op: trace.OpXattr, Result: -notSupported},
		"chown":           {Op: trace.OpAttr, Result: -perm},
	} {
		for _, took := range []int64{us, 20 * ms} {
			s, a, b := copying(t, 4*MiB)
			call.File, call.Call, call.Offset = b, 7, trace.NoOffset
			s.call(call, took)
			s.loop(a, b, 4*MiB, 64*KiB)
			p := s.finish()
			for _, l := range p.Verdict.Lines {
				if saysFailed.MatchString(l.Text) {
					t.Errorf("%s of %d ns: %s: %s", name, took, l.Label, l.Text)
				}
			}
			if slices.ContainsFunc(p.Observations, func(o profile.Sentence) bool { return o.Code == "failed_requests" }) {
				t.Errorf("%s: an observation of failed requests", name)
			}
		}
	}
}
