package page

import (
	"bytes"
	"strconv"
	"strings"
)

// The pages are written by functions of Go, a block each. html/template would let the linker keep every exported method
// of the program, because templates call methods by their names: 2 MB more.

// markup is HTML. The compiler takes a constant for it, which is written here, and no other string: what was recorded
// becomes markup by text alone, which escapes it.
type markup string

// escapes are how the characters stand that could end a text, or an attribute in quotation marks.
var escapes = strings.NewReplacer("\x00", "\uFFFD", `"`, "&#34;", "&", "&amp;", "'", "&#39;", "+", "&#43;", "<", "&lt;",
	">", "&gt;")

// text is a text, or the value of an attribute in quotation marks that is neither a style nor a script.
func text(s string) markup { return markup(escapes.Replace(s)) }

// digits are a whole number.
func digits(n int) markup { return markup(strconv.Itoa(n)) }

// join puts parts one behind the other.
func join(parts ...markup) markup {
	var w writer
	w.add(parts...)
	return markup(w.String())
}

// each joins what is made of the elements of a list.
func each[E any](list []E, made func(E) markup) markup {
	var w writer
	for _, x := range list {
		w.add(made(x))
	}
	return markup(w.String())
}

// when is markup that stands only under a condition.
func when(condition bool, m markup) markup {
	if !condition {
		return ""
	}
	return m
}

// either is one or the other.
func either(condition bool, yes, no markup) markup {
	if condition {
		return yes
	}
	return no
}

// given is markup with a text in its middle, if there is a text.
func given(before markup, s string, after markup) markup {
	if s == "" {
		return ""
	}
	return join(before, text(s), after)
}

// writer gathers a page.
type writer struct {
	bytes.Buffer
	err error // the first
}

func (w *writer) add(parts ...markup) {
	for _, m := range parts {
		w.WriteString(string(m))
	}
}

// fail keeps an error until the page is done.
func (w *writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}
