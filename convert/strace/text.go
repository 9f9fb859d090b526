package strace

import (
	"bytes"

	"github.com/iotrace/iotrace/internal/linux"
)

// call is a line of strace taken apart. Its texts are parts of the line, and it is used again for the next one.
type call struct {
	name     []byte
	args     [][]byte
	result   int64  // or -errno
	path     []byte // of the descriptor that was returned, as it is printed
	start    int64
	duration int64 // ns, -1 if it is not there
	lives    bool  // it did not return
	broken   bool  // by a signal
	text     []byte
}

// parse reads "openat(AT_FDCWD</d>, "f", O_RDONLY) = 3</d/f> <0.000011>".
func (c *call) parse(text []byte) bool {
	n := nameLength(text)
	if n == 0 || n == len(text) || text[n] != '(' {
		return false
	}
	*c = call{name: text[:n], args: c.args[:0], duration: -1, text: text}
	end := c.split(text[n+1:])
	rest := bytes.TrimLeft(text[n+1+end:], " ")
	if len(rest) < 2 || rest[0] != '=' || rest[1] != ' ' {
		return false
	}
	return c.returned(c.timed(bytes.TrimSpace(rest[2:])))
}

// nameLength is the length of the name of a call that a text begins with.
func nameLength(text []byte) int {
	for i, b := range text {
		if !(b >= 'a' && b <= 'z' || b == '_' || i > 0 && b >= '0' && b <= '9') {
			return i
		}
	}
	return len(text)
}

// timed takes the duration off the end of a line, if it is there.
func (c *call) timed(rest []byte) []byte {
	if rest = bytes.TrimRight(rest, " "); len(rest) < 3 || rest[len(rest)-1] != '>' {
		return rest
	}
	i := bytes.LastIndexByte(rest, '<')
	if i < 0 {
		return rest
	}
	if ns, n := seconds(rest[i+1 : len(rest)-1]); n == len(rest)-i-2 {
		c.duration = ns
		rest = bytes.TrimRight(rest[:i], " ")
	}
	return rest
}

// returned reads what follows the sign of equality.
func (c *call) returned(rest []byte) bool {
	if len(rest) > 0 && rest[0] == '?' {
		c.lives = true // exit, exec in another thread, a call that is begun anew
		c.broken = bytes.HasPrefix(rest, []byte("? ERESTART"))
		return true
	}
	n, length := number(rest)
	if length == 0 {
		return false
	}
	c.result = n
	if rest = rest[length:]; len(rest) > 0 && rest[0] == '<' {
		c.path, _ = within(rest[1:])
		return true
	}
	if n == -1 {
		word, _, _ := bytes.Cut(bytes.TrimLeft(rest, " "), []byte{' '})
		c.result = -linux.Errno(string(word))
	}
	return true
}

// split splits arguments at the commas outside of quotes and brackets, and returns where they end: behind the closing
// bracket.
func (c *call) split(s []byte) (end int) {
	depth, from := 0, 0
	for i := 0; i < len(s); i++ {
		if !splits[s[i]] {
			continue
		}
		switch s[i] {
		case '"':
			i += quoted(s[i+1:])
		case '<': // the path of a descriptor; within it < and > are escaped
			if i > 0 && i+1 < len(s) && (s[i-1] >= '0' && s[i-1] <= '9' || s[i-1] == 'D') && s[i+1] != '<' {
				if _, n := within(s[i+1:]); n > 0 {
					i += n
				}
			}
		case '(', '[', '{':
			depth++
		case ']', '}':
			depth--
		case ')':
			if depth <= 0 {
				if arg := trim(s[from:i]); len(arg) > 0 || len(c.args) > 0 {
					c.args = append(c.args, arg)
				}
				return i + 1
			}
			depth--
		case ',':
			if depth == 0 {
				c.args = append(c.args, trim(s[from:i]))
				from = i + 1
			}
		}
	}
	return len(s)
}

// splits are the bytes that split looks at: most of a line are others.
var splits = [256]bool{'"': true, ',': true, '<': true, '(': true, ')': true, '[': true, ']': true, '{': true,
	'}': true}

// quoted is how much of s a text within quotes takes, the quote behind it included.
func quoted(s []byte) int {
	for from := 0; ; {
		i := bytes.IndexByte(s[from:], '"')
		if i < 0 {
			return len(s)
		}
		i += from
		escapes := 0
		for k := i - 1; k >= 0 && s[k] == '\\'; k-- {
			escapes++
		}
		if escapes%2 == 0 {
			return i + 1
		}
		from = i + 1
	}
}

// within reads what -y and -yy print in angle brackets behind a descriptor, from behind the first: "/a>",
// "/dev/null<char 1:3>>", "pipe:[7]>", "TCP:[127.0.0.1:1->127.0.0.1:2]>". It returns the file, as it is printed, and
// how much of s it takes, 0 if it does not end.
func within(s []byte) (file []byte, length int) {
	s = s[:min(len(s), longestFile)]
	if i := bytes.IndexByte(s, '>'); i >= 0 && bytes.IndexByte(s[:i], '<') < 0 && bytes.IndexByte(s[:i], '[') < 0 {
		return s[:i], i + 1 // a path without anything behind it, as nearly all
	}
	i := bytes.IndexAny(s, "<>[")
	switch {
	case i < 0:
		return nil, 0
	case s[i] == '>':
		return s[:i], i + 1
	case s[i] == '[' && s[0] != '/':
		if n := bytes.Index(s[i:], []byte("]>")); n >= 0 {
			return s[:i+n+1], i + n + 2
		}
	case s[i] == '[':
		if i = bytes.IndexAny(s, "<>"); i >= 0 && s[i] == '>' {
			return s[:i], i + 1
		}
	}
	if i < 0 || s[i] != '<' {
		return nil, 0
	}
	if n := bytes.Index(s[i:], []byte(">>")); n >= 0 {
		return s[:i], i + n + 2
	}
	return nil, 0
}

// longestFile is how much a file within brackets may take: a path of 4095 bytes, each as four, and what -yy adds.
const longestFile = 4*4095 + 256

// arg is an argument, nothing if there is none of that number.
func (c *call) arg(i int) []byte {
	if i >= 0 && i < len(c.args) {
		return c.args[i]
	}
	return nil
}

// number is a numeric argument; comments and what the kernel made of it follow some of them.
func (c *call) number(i int) (int64, bool) {
	n, length := number(c.arg(i))
	return n, length > 0
}

// within is the number in brackets that a pointer leads to: "[4096] => [8192]".
func (c *call) within(i int) (int64, bool) {
	arg := c.arg(i)
	if len(arg) == 0 || arg[0] != '[' {
		return 0, false
	}
	n, length := number(arg[1:])
	return n, length > 0
}

var atCwd = []byte("AT_FDCWD")

// fd is a descriptor and the file that -y put behind it, as it is printed.
func (c *call) fd(i int) (n int32, file []byte, ok bool) {
	arg := c.arg(i)
	length := len(atCwd)
	if bytes.HasPrefix(arg, atCwd) {
		n = -100
	} else {
		v, l := number(arg)
		if l == 0 || v != int64(int32(v)) {
			return 0, nil, false
		}
		n, length = int32(v), l
	}
	rest := arg[length:]
	if n == -100 { // -100 /* AT_FDCWD */, of -X verbose
		rest = bytes.TrimPrefix(rest, []byte(" /* AT_FDCWD */"))
	}
	if len(rest) > 0 && rest[0] == '<' {
		file, _ = within(rest[1:])
	}
	return n, file, true
}

// textArg is an argument that is a text.
func (c *call) textArg(i int) ([]byte, bool) { return text(c.arg(i)) }

func text(arg []byte) ([]byte, bool) {
	if len(arg) == 0 || arg[0] != '"' {
		return nil, false
	}
	end := bytes.LastIndexByte(arg, '"')
	if end < 1 {
		return nil, false
	}
	return unquote(arg[1:end]), true
}
