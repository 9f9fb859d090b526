package tables

import (
	"encoding/binary"
	"reflect"
	"time"
)

// Physical types, encodings and kinds of pages by their numbers in the format.
const (
	boolean   = 0
	int32Type = 1
	int64Type = 2
	double    = 5
	byteArray = 6

	encodingPlain      = 0
	encodingRLE        = 3
	encodingDelta      = 5
	encodingDictionary = 8

	codecZstd = 6

	dataPage       = 0
	dictionaryPage = 2
)

// kind is how the values of a type are stored, and what they mean.
type kind struct {
	physical  int64
	converted int64 // what older readers take for the meaning; -1 for none
	bits      int64 // of an integer
	unsigned  bool
	timestamp bool
}

func kindOf(t reflect.Type) (kind, bool) {
	switch t.Kind() {
	case reflect.String:
		return kind{physical: byteArray, converted: 0}, true
	case reflect.Bool:
		return kind{physical: boolean, converted: -1}, true
	case reflect.Int32:
		return kind{physical: int32Type, converted: 17, bits: 32}, true
	case reflect.Uint32:
		return kind{physical: int32Type, converted: 13, bits: 32, unsigned: true}, true
	case reflect.Int64:
		return kind{physical: int64Type, converted: 18, bits: 64}, true
	case reflect.Uint64:
		return kind{physical: int64Type, converted: 14, bits: 64, unsigned: true}, true
	case reflect.Float64:
		return kind{physical: double, converted: -1}, true
	}
	return kind{physical: int64Type, converted: 10, timestamp: true}, t == reflect.TypeFor[time.Time]()
}

// bounds are the least and the greatest value of a column, by which readers leave out row groups.
type bounds struct {
	any       bool
	low, high int64
	from, to  string
	unbounded bool // a text is too long to be repeated
}

func (b *bounds) integer(n int64, unsigned bool) {
	less := func(x, y int64) bool {
		if unsigned {
			return uint64(x) < uint64(y)
		}
		return x < y
	}
	if !b.any || less(n, b.low) {
		b.low = n
	}
	if !b.any || less(b.high, n) {
		b.high = n
	}
	b.any = true
}

// longest is the longest text that is repeated as a bound.
const longest = 64

func (b *bounds) text(s string) {
	if b.unbounded = b.unbounded || len(s) > longest; b.unbounded {
		return
	}
	if !b.any || s < b.from {
		b.from = s
	}
	if !b.any || s > b.to {
		b.to = s
	}
	b.any = true
}

// bytes is a bound as it is stored; nil if there is none.
func (b *bounds) bytes(physical int64, greatest bool) []byte {
	n, s := b.low, b.from
	if greatest {
		n, s = b.high, b.to
	}
	switch {
	case !b.any || b.unbounded:
	case physical == byteArray:
		return []byte(s)
	case physical == int32Type:
		return binary.LittleEndian.AppendUint32(nil, uint32(n))
	case physical == int64Type:
		return binary.LittleEndian.AppendUint64(nil, uint64(n))
	}
	return nil
}
