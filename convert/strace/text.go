package strace

import (
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/tracer/linux"
)

// call is a line of strace taken apart.
type call struct {
	name     string
	args     []string
	result   int64  // or -errno
	path     string // of the descriptor that was returned
	start    int64
	duration int64 // ns, -1 if it is not there
	lives    bool  // it did not return
	text     string
}

// parse reads "openat(AT_FDCWD</d>, "f", O_RDONLY) = 3</d/f> <0.000011>".
func parse(text string) (*call, bool) {
	open := strings.IndexByte(text, '(')
	if open <= 0 || strings.ContainsAny(text[:open], " =<\"") {
		return nil, false
	}
	c := &call{name: text[:open], duration: -1, text: text}
	args, end := split(text[open+1:])
	rest := text[open+1+end:]
	c.args = args
	_, rest, ok := strings.Cut(rest, "= ")
	if !ok {
		return nil, false
	}
	rest = strings.TrimSpace(rest)
	if i := strings.LastIndexByte(rest, '<'); i >= 0 && strings.HasSuffix(rest, ">") {
		if sec, err := strconv.ParseFloat(rest[i+1:len(rest)-1], 64); err == nil && sec >= 0 && sec < 1e9 {
			c.duration = int64(sec*1e9 + 0.5)
			rest = strings.TrimSpace(rest[:i])
		}
	}
	value, tail, _ := strings.Cut(rest, " ")
	if number, _, ok := strings.Cut(value, "<"); ok { // the path may hold blanks
		value = number
		_, after, _ := strings.Cut(rest, "<")
		path, _, _ := strings.Cut(after, ">")
		c.path = unquote(path)
	}
	if value == "?" {
		c.lives = true // exit, exec in another thread
		return c, true
	}
	n, err := strconv.ParseInt(value, 0, 64)
	if err != nil {
		u, err := strconv.ParseUint(value, 0, 64)
		if err != nil {
			return nil, false
		}
		n = int64(u)
	}
	if c.result = n; n == -1 {
		name, _, _ := strings.Cut(tail, " ")
		c.result = -linux.Errno(name)
	}
	return c, true
}

// split splits arguments at the commas outside of quotes and brackets,
// and returns where they end: behind the closing bracket.
func split(s string) (args []string, end int) {
	depth, from := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			for i++; i < len(s) && s[i] != '"'; i++ {
				if s[i] == '\\' {
					i++
				}
			}
		case '<': // the path of a descriptor; within it < and > are escaped
			if i == 0 || !strings.ContainsRune("0123456789D", rune(s[i-1])) {
				continue
			}
			if n := strings.IndexByte(s[i:], '>'); n >= 0 {
				i += n
			}
		case '(', '[', '{':
			depth++
		case ']', '}':
			depth--
		case ')':
			if depth == 0 {
				if arg := strings.TrimSpace(s[from:i]); arg != "" || len(args) > 0 {
					args = append(args, arg)
				}
				return args, i + 1
			}
			depth--
		case ',':
			if depth == 0 {
				args = append(args, strings.TrimSpace(s[from:i]))
				from = i + 1
			}
		}
	}
	return args, len(s)
}

// unquote undoes the escapes of C: \n, \", \\ and octal digits.
func unquote(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		if j := strings.IndexByte("abtnvfr", s[i]); j >= 0 {
			b.WriteByte(byte(7 + j))
			continue
		}
		if s[i] == 'x' && i+2 < len(s) {
			if v, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(v))
				i += 2
				continue
			}
		}
		n := 0
		for n < 3 && i+n < len(s) && s[i+n] >= '0' && s[i+n] <= '7' {
			n++
		}
		if n == 0 {
			b.WriteByte(s[i])
			continue
		}
		v, _ := strconv.ParseUint(s[i:i+n], 8, 16)
		b.WriteByte(byte(v))
		i += n - 1
	}
	return b.String()
}

// arg is an argument, "" if there is none of that number.
func (c *call) arg(i int) string {
	if i >= 0 && i < len(c.args) {
		return c.args[i]
	}
	return ""
}

// number is a numeric argument; comments and what the kernel made of it follow
// some of them.
func (c *call) number(i int) (int64, bool) {
	word, _, _ := strings.Cut(c.arg(i), " ")
	n, err := strconv.ParseInt(word, 0, 64)
	return n, err == nil
}

// within is the number in brackets that a pointer leads to: "[4096] => [8192]".
func (c *call) within(i int) (int64, bool) {
	s, ok := strings.CutPrefix(c.arg(i), "[")
	word, _, _ := strings.Cut(s, "]")
	n, err := strconv.ParseInt(word, 0, 64)
	return n, ok && err == nil
}

// fd is a descriptor and the path that -y put behind it.
func (c *call) fd(i int) (n int32, path string, ok bool) {
	number, path, _ := strings.Cut(c.arg(i), "<")
	path, _, _ = strings.Cut(path, ">")
	if number == "AT_FDCWD" {
		return -100, unquote(path), true
	}
	v, err := strconv.ParseInt(number, 10, 32)
	return int32(v), unquote(path), err == nil
}

// name is an argument that is a text.
func (c *call) textArg(i int) (string, bool) {
	s, ok := strings.CutPrefix(c.arg(i), `"`)
	end := strings.LastIndexByte(s, '"')
	if !ok || end < 0 {
		return "", false
	}
	return unquote(s[:end]), true
}
