//go:build linux

package ebpf

import (
	"cmp"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/internal/workload"
	"github.com/iotrace/iotrace/trace"
)

func TestAddresses(t *testing.T) {
	needBPF(t)
	dir := workDir(t)
	rec := recordCommand(t, Options{}, nil, workload.Args("connects", dir)...)
	var got, want []string
	for i := range rec.Syscalls {
		if c := &rec.Syscalls[i]; c.Op == trace.OpConnect {
			got = append(got, rec.path(c.File2))
		}
	}
	for _, to := range workload.Connects {
		want = append(want, strings.Replace(to, "DIR", dir, 1))
	}
	if !slices.Equal(got, want) {
		t.Errorf("connected to %q, want %q", got, want)
	}
}

// straceAddress is a call on a socket, and the address that strace prints of it.
var straceAddress = regexp.MustCompile(`^\d+ +(connect|accept4|sendto|recvfrom|sendmsg|recvmsg)\((.*)`)

// addressesOfStrace lists what strace saw, without what calls only looked at: the names of calls, and the address of
// each as iotrace writes it.
func addressesOfStrace(t *testing.T, log string) (list [][2]string) {
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	begun := map[string]string{} // by thread, calls whose rest comes later
	for line := range strings.Lines(string(text)) {
		tid, call, _ := strings.Cut(strings.TrimSpace(line), " ")
		if first, unfinished := strings.CutSuffix(line, " <unfinished ...>\n"); unfinished {
			begun[tid] = first
			continue
		} else if _, rest, resumed := strings.Cut(call, " resumed>"); resumed {
			line = begun[tid] + rest
		}
		m := straceAddress.FindStringSubmatch(line)
		if m == nil || strings.Contains(m[2], "MSG_PEEK") {
			continue
		}
		to := ""
		for form, parts := range map[string]*regexp.Regexp{
			"%[2]s:%[1]s":   regexp.MustCompile(`sin_port=htons\((\d+)\), sin_addr=inet_addr\("([^"]*)"\)`),
			"[%[2]s]:%[1]s": regexp.MustCompile(`sin6_port=htons\((\d+)\).*inet_pton\(AF_INET6, "([^"]*)"`),
			"unix:%[1]s":    regexp.MustCompile(`sun_path="([^"]*)"()`),
			"unix:@%[1]s":   regexp.MustCompile(`sun_path=@"([^"]*)"()`),
		} {
			if a := parts.FindStringSubmatch(m[2]); a != nil {
				to = fmt.Sprintf(form, a[1], a[2])
			}
		}
		list = append(list, [2]string{m[1], to})
	}
	return list
}

// What calls on sockets were given and gave as addresses is what strace prints in the same run. Of whom a connection is
// that was accepted by a call that does not ask, it does not print.
func TestAddressesEqualStrace(t *testing.T) {
	needBPF(t)
	needTools(t, "strace")
	for _, name := range []string{"connects", "datagrams", "meets"} {
		t.Run(name, func(t *testing.T) {
			dir := workDir(t)
			arg := dir
			if name == "meets" {
				arg += "/met"
			}
			args := append([]string{"strace", "-f", "-qq", "-o", dir + "/log"}, workload.Args(name, arg)...)
			rec := recordCommand(t, Options{}, nil, args...)
			want, got := addressesOfStrace(t, dir+"/log"), [][2]string{}
			for i := range rec.Syscalls {
				c := &rec.Syscalls[i]
				if f := rec.files[c.File]; f != nil && f.Type == trace.FileSocket && c.Op.HasPeer() {
					got = append(got, [2]string{rec.call(c), rec.path(c.File2)})
				}
			}
			if len(want) == 0 || len(got) != len(want) {
				t.Fatalf("recorded %q, strace saw %q", got, want)
			}
			for i := range want {
				if unasked := want[i] == [2]string{"accept4", ""}; got[i] != want[i] && !unasked {
					t.Errorf("recorded %q, strace saw %q", got[i], want[i])
				}
			}
		})
	}
}

// Whom connections are to and from is recorded however they are made: by calls that ask, by calls that do not, and by
// io_uring, over IPv4, IPv6, and IPv4 within IPv6.
func TestAddressesOfConnections(t *testing.T) {
	needBPF(t)
	file := workDir(t) + "/met"
	rec := recordCommand(t, Options{}, nil, workload.Args("meets", file)...)
	var to, from []string
	add := func(op trace.Op, id trace.FileID) {
		switch op {
		case trace.OpConnect:
			to = append(to, rec.path(id))
		case trace.OpAccept:
			from = append(from, rec.path(id))
		}
	}
	type event struct {
		end  int64
		op   trace.Op
		file trace.FileID
	}
	var all []event
	for _, c := range rec.Syscalls {
		all = append(all, event{c.End(), c.Op, c.File2})
	}
	for _, a := range rec.AsyncOps {
		all = append(all, event{a.Complete, a.Op, a.File2})
	}
	slices.SortFunc(all, func(a, b event) int { return cmp.Compare(a.end, b.end) })
	for _, e := range all {
		add(e.op, e.file)
	}
	made, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(made)), "\n")
	if len(lines) != 9 || len(to) != len(lines) || len(from) != len(lines) {
		t.Fatalf("connects to %q, accepts from %q, made %q", to, from, lines)
	}
	for i, line := range lines {
		if got := to[i] + " " + from[i]; got != line {
			t.Errorf("connection %d: recorded %q, was %q", i, got, line)
		}
	}
}

func TestAddressOfSockaddr(t *testing.T) {
	for want, b := range map[string]string{
		"192.0.2.7:5432": "\x02\x00\x15\x38\xc0\x00\x02\x07\x00\x00\x00\x00\x00\x00\x00\x00",
		"[2001:db8::7%3]:80": "\x0a\x00\x00\x50\x00\x00\x00\x00\x20\x01\x0d\xb8" +
			strings.Repeat("\x00", 11) + "\x07\x03\x00\x00\x00",
		"unix:/run/x": "\x01\x00/run/x\x00rest",
		"unix:@name":  "\x01\x00\x00name",
		"":            "\x02\x00\x15",
	} {
		if got := address([]byte(b)); got != want {
			t.Errorf("%q is %q, want %q", b, got, want)
		}
	}
}
