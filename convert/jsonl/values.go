package jsonl

import (
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/iotrace/iotrace/trace"
)

// enumeration is a type of values with names. A value that has none, because a
// newer iotrace has recorded it, goes by its number.
type enumeration[T ~uint8] map[string]T

const nameOfNone = "unknown"

// enumerate finds the names of all values.
func enumerate[T interface {
	~uint8
	fmt.Stringer
}]() enumeration[T] {
	all := enumeration[T]{}
	for v := range math.MaxUint8 + 1 {
		if name := T(v).String(); name != nameOfNone {
			all[name] = T(v)
		}
	}
	return all
}

var (
	ops         = enumerate[trace.Op]()
	apis        = enumerate[trace.AsyncAPI]()
	causes      = enumerate[trace.WaitCause]()
	wakeSources = enumerate[trace.WakeSource]()
	actions     = enumerate[trace.ProcessAction]()
	fileTypes   = enumerate[trace.FileType]()
	reqOps      = enumerate[trace.ReqOp]()
	evidences   = enumerate[trace.Evidence]()
	kinds       = enumerate[trace.Kind]()
)

// number is v if its name does not say it.
func (e enumeration[T]) number(v T, name string) *uint8 {
	if e[name] == v {
		return nil
	}
	n := uint8(v)
	return &n
}

// value is what a name and a number say. A name that this version does not know
// is an error: the value would be lost.
func (e enumeration[T]) value(name string, number *uint8) (T, error) {
	if number != nil {
		return T(*number), nil
	}
	v, ok := e[name]
	if !ok && name != nameOfNone && name != "" {
		return 0, fmt.Errorf("unknown value %q", name)
	}
	return v, nil
}

// exact is a text as bytes if JSON cannot hold it, nil otherwise.
func exact(text string) []byte {
	if utf8.ValidString(text) {
		return nil
	}
	return []byte(text)
}

// text is the text of a field and of its bytes.
func text(s string, exact []byte) string {
	if exact != nil {
		return string(exact)
	}
	return s
}

// unless is a pointer to x, nil if x is none.
func unless[T comparable](x, none T) *T {
	if x == none {
		return nil
	}
	return &x
}

// or is what p points to, none if it is nil.
func or[T any](p *T, none T) T {
	if p == nil {
		return none
	}
	return *p
}
