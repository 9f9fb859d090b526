package macos

import "strings"

// Known is something a tracing tool of macOS says when it cannot work, and what
// to do about it.
type Known struct {
	Code   string // stable short name
	Meant  string // what it means
	Remedy string // what to do
	Denied bool   // for lack of a privilege, not of the system
	part   []string
}

// Text is the message with its meaning and remedy.
func (k *Known) Text(message string) string {
	return k.Meant + "; " + k.Remedy + " (it said: " + strings.TrimSpace(message) + ")"
}

// messages are what dtrace, fs_usage and xctrace print, most telling first. All
// words of a part must be in the message. Each was read in the tool's source or
// in a public report; those of DTrace on Linux were seen.
var messages = []Known{
	{Code: "busy", Meant: "another tool owns the kernel's trace buffer",
		Remedy: "end Instruments, ktrace, fs_usage or spindump, whichever runs, and try again",
		part:   []string{"Resource busy"}},
	{Code: "root", Meant: "tracing needs root", Remedy: "run with sudo; the command itself still runs as you",
		Denied: true,
		part:   []string{"must be run as root"}},
	{Code: "privileges", Meant: "tracing needs root", Remedy: "run with sudo; the command itself still runs as you",
		Denied: true,
		part:   []string{"requires additional privileges"}},
	{Code: "restricted", Meant: "DTrace may not control a program that is signed by Apple as restricted",
		Remedy: "let iotrace start it; it does not use dtrace -c", part: []string{"signed with restricted entitlements"}},
	{Code: "rosetta", Meant: "DTrace cannot instrument a program that runs under Rosetta",
		Remedy: "run a native program, or use --backend kdebug", part: []string{"cannot instrument translated processes"}},
	{Code: "sip", Meant: "System Integrity Protection hides the probes from DTrace",
		Remedy: "use --backend kdebug, which works with protection on; for DTrace, protection would have to be turned off " +
			"in recoveryOS (csrutil disable), which is not advised",
		part: []string{"does not match any probes"}},
	{Code: "sip", Meant: "System Integrity Protection hides the probes from DTrace",
		Remedy: "use --backend kdebug, which works with protection on", part: []string{"system integrity protection is on"}},
	{Code: "user_access", Meant: "the program is protected: DTrace may not read its memory",
		Remedy: "use --backend kdebug", part: []string{"invalid user access"}},
	{Code: "kernel_access", Meant: "System Integrity Protection keeps DTrace from reading kernel memory",
		Remedy: "use --backend kdebug", part: []string{"invalid kernel access"}},
	{Code: "unresponsive", Meant: "DTrace ended early because the system did not respond to it in time; what follows is " +
		"missing",
		Remedy: "record less (--name or -p), or use --backend kdebug", part: []string{"systemic unresponsiveness"}},
	{Code: "no_task", Meant: "DTrace may not look into that process",
		Remedy: "attach with iotrace -p, which needs no task port", part: []string{"failed to grab pid"}},
	{Code: "xcode", Meant: "xctrace comes with the full Xcode, not with the Command Line Tools",
		Remedy: "install Xcode and select it: sudo xcode-select -s /Applications/Xcode.app",
		part:   []string{"requires Xcode"}},
	{Code: "xcode", Meant: "xctrace comes with the full Xcode, not with the Command Line Tools",
		Remedy: "install Xcode and select it: sudo xcode-select -s /Applications/Xcode.app",
		part:   []string{"unable to find utility", "xctrace"}},
	{Code: "template", Meant: "this Xcode does not find the template",
		Remedy: "name the instrument instead: xctrace record --instrument 'File Activity'",
		part:   []string{"Document Missing Template"}},
	{Code: "command_line_tools", Meant: "the C preprocessor is not installed",
		Remedy: "xcode-select --install", part: []string{"failed to compile script", "preprocessor"}},
	{Code: "not_found", Meant: "the program is not installed", Remedy: "use another backend",
		part: []string{"command not found"}},
}

// Explain recognises a message.
func Explain(message string) (*Known, bool) {
	lower := strings.ToLower(message)
next:
	for i := range messages {
		for _, p := range messages[i].part {
			if !strings.Contains(lower, strings.ToLower(p)) {
				continue next
			}
		}
		return &messages[i], true
	}
	return nil, false
}
