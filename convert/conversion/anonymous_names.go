package conversion

import (
	"bufio"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/internal/output"
	"github.com/iotrace/iotrace/internal/rights"
	"github.com/iotrace/iotrace/trace"
)

// Key makes names. With the same one the same names are made; whoever has it can try whether a name is behind one of
// them.
type Key struct{ secret []byte }

// keyBytes is the length of a key.
const keyBytes = 32

// NewKey makes a key that nobody has.
func NewKey() *Key {
	secret := make([]byte, keyBytes)
	_, _ = rand.Read(secret) // never fails: crypto/rand
	return &Key{secret}
}

// OpenKey reads the key in a file, which is made if there is none. That is done as the user who called sudo, if as is
// one. A key of another user is refused: who made it could take the made-up names back to the real ones.
func OpenKey(path string, as *rights.Identity) (*Key, error) {
	secret, err := output.ReadSecret(path, as, keyBytes)
	if errors.Is(err, fs.ErrNotExist) {
		k := NewKey()
		return k, output.Write(path, output.Options{As: as, What: "key"}, func(w *bufio.Writer) error {
			_, err := w.Write(k.secret)
			return err
		})
	}
	if err != nil {
		return nil, fmt.Errorf("reading the key: %w (name a file that --key made, or a new one)", err)
	}
	if len(secret) != keyBytes {
		return nil, fmt.Errorf("reading the key: %s does not have the %d bytes of a key: name a file that --key made, or a "+
			"new one", path, keyBytes)
	}
	return &Key{secret}, nil
}

var letters = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// nameBytes is how much of the hash of a name is kept: two of a million names are the same once in 37 million traces.
const nameBytes = 8

func (k *Key) hash(kind byte, text string) []byte {
	h := hmac.New(sha256.New, k.secret)
	h.Write([]byte{kind})
	h.Write([]byte(text))
	return h.Sum(nil)
}

// word is what stands for a name.
func (k *Key) word(name string) string {
	if name == "" {
		return ""
	}
	return letters.EncodeToString(k.hash('n', name)[:nameBytes])
}

// path replaces each component of a path. Extensions of up to eight letters and digits stay, as do the names by which
// the kernel tells files that have none.
func (k *Key) path(path string) string {
	if kind, rest, ok := strings.Cut(path, ":"); ok {
		switch bracketed := strings.HasPrefix(rest, "["); {
		case bracketed && slices.Contains(numbered, kind), kind == "anon_inode":
			return path
		case bracketed && slices.Contains(addressed, kind), kind == "memfd", len(kind) == 1: // or a drive of Windows
			return kind + ":" + k.path(rest)
		}
	}
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if part != "" && part != "." && part != ".." {
			parts[i] = k.word(part) + extension(part)
		}
	}
	return strings.Join(parts, "/")
}

// numbered are the kinds of files that the kernel calls by a number, pipe:[12], and trace.Unnamed.
var numbered = []string{"pipe", "socket", strings.TrimSuffix(trace.Unnamed, ":")}

// addressed are the kinds of sockets that strace prints addresses of: TCP:[127.0.0.1:1->127.0.0.1:2].
var addressed = []string{"TCP", "TCPv6", "UDP", "UDPv6", "RAW", "RAWv6", "PACKET", "NETLINK", "UNIX", "UNIX-STREAM",
	"UNIX-DGRAM", "UNIX-SEQPACKET"}

// longestExtension is that of an extension that stays: what is longer may be a name.
const longestExtension = 8

func extension(name string) string {
	i := strings.LastIndexByte(name, '.')
	if i <= 0 || i == len(name)-1 || len(name)-i-1 > longestExtension {
		return ""
	}
	for _, c := range name[i+1:] {
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return ""
		}
	}
	return name[i:]
}

// at replaces the host of what is on one of several: cp@HOST.
func (k *Key) at(name string) string {
	if i := strings.LastIndexByte(name, '@'); i >= 0 {
		return name[:i+1] + k.word(name[i+1:])
	}
	return name
}

// sum replaces a sum of contents, which would tell a known file: equal ones stay equal.
func (k *Key) sum(sum uint64) uint64 {
	return binary.LittleEndian.Uint64(k.hash('s', string(binary.LittleEndian.AppendUint64(nil, sum))))
}

// header takes the names out of a header: of the command its program's alone stays.
func (k *Key) header(h trace.Header) trace.Header {
	h.Host, h.Dir = k.word(h.Host), k.path(h.Dir)
	if len(h.Command) > 0 {
		h.Command = []string{program(h.Command[0])}
	}
	if h.Trigger != nil {
		t := *h.Trigger
		t.Command, t.File = k.at(t.Command), k.path(t.File)
		h.Trigger = &t
	}
	if h.Scope == trace.ScopeMerge { // limits say of which host they are
		limits := make([]trace.Limit, 0, len(h.Limits))
		for _, l := range h.Limits {
			limits = append(limits, l.Code.Limit())
		}
		h.Limits = limits
	}
	return h
}

func program(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// end does so for an end. Texts can hold any name.
func (k *Key) end(e trace.End) trace.End {
	if e.Error != "" {
		e.Error = "(what it was is left out)"
	}
	if n := len(e.Warnings); n > 0 {
		e.Warnings = []string{fmt.Sprintf("%d warnings of the recorder are left out: they can hold names.", n)}
	}
	contents := make([]trace.Content, 0, len(e.Contents))
	for _, c := range e.Contents {
		c.Sum = k.sum(c.Sum)
		contents = append(contents, c)
	}
	e.Contents = contents
	if p := e.Processors; p != nil {
		renamed := *p
		renamed.Held, renamed.Others = nil, nil
		for _, h := range p.Held {
			renamed.Held = append(renamed.Held, trace.Held{Group: k.path(h.Group), Time: h.Time})
		}
		e.Processors = &renamed
	}
	limits := slices.Clone(e.IOLimits)
	for i := range limits {
		limits[i].Group = k.path(limits[i].Group)
	}
	e.IOLimits = limits
	e.Memory = slices.Clone(e.Memory)
	for i := range e.Memory {
		e.Memory[i].Group = k.path(e.Memory[i].Group)
	}
	e.Mounts = slices.Clone(e.Mounts)
	for i := range e.Mounts {
		m := &e.Mounts[i]
		m.Point, m.Source, m.Options = k.path(m.Point), k.path(m.Source), anonymousPlain(m.Options)
	}
	e.SyncedDirs = slices.Clone(e.SyncedDirs)
	for i := range e.SyncedDirs {
		e.SyncedDirs[i] = k.path(e.SyncedDirs[i])
	}
	var holders []trace.Holder
	for _, h := range e.Holders {
		h.Command, h.Address = "", ""
		holders = append(holders, h)
	}
	e.Holders, e.Users = holders, nil
	e.Samples = slices.Clone(e.Samples)
	for i := range e.Samples {
		s := &e.Samples[i]
		if s.Process = k.at(s.Process); s.Library != trace.SampleKernel {
			s.Library, s.Function = k.path(s.Library), k.word(s.Function)
		}
	}
	return e
}

// valued are the options of mounts whose value is one of a few words.
var valued = []string{"data", "barrier", "discard"}

// anonymousPlain is what of the options of a mount can hold no name.
func anonymousPlain(options string) string {
	var kept []string
	for o := range strings.SplitSeq(options, ",") {
		if name, _, ok := strings.Cut(o, "="); !ok || slices.Contains(valued, name) {
			kept = append(kept, o)
		}
	}
	return strings.Join(kept, ",")
}

// batch does so for events.
func (k *Key) batch(b *trace.Batch) {
	for i := range b.Files {
		f := &b.Files[i]
		f.Path, f.Mount, f.Host = k.path(f.Path), k.path(f.Mount), k.path(f.Host)
	}
	for i := range b.Devices {
		d := &b.Devices[i]
		d.Name, d.Backing = k.at(d.Name), k.path(d.Backing)
	}
	for i := range b.RPCs {
		r := &b.RPCs[i]
		r.Server = k.word(r.Server)
	}
	for i := range b.Processes {
		p := &b.Processes[i]
		p.Command, p.Exe, p.Args, p.Cgroup = k.at(p.Command), k.path(p.Exe), "", k.path(p.Cgroup)
	}
}
