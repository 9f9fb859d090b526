package samples

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
)

// Damage changes the bytes of a file as accidents do: flips of bits, cuts,
// exchanged, inserted and repeated parts. It says what it did.
func Damage(file []byte, rng *rand.Rand) ([]byte, string) {
	n := len(file)
	at, size := rng.IntN(n), 1+rng.IntN(min(n/2, 4096))
	end := min(at+size, n)
	switch rng.IntN(6) {
	case 0:
		c := bytes.Clone(file)
		bit := rng.IntN(8)
		c[at] ^= 1 << bit
		return c, fmt.Sprintf("bit %d of byte %d", bit, at)
	case 1:
		return bytes.Clone(file[:at]), fmt.Sprintf("cut at %d", at)
	case 2:
		return slices.Concat(file[:at], file[end:]), fmt.Sprintf("without %d to %d", at, end)
	case 3:
		to := rng.IntN(n)
		c := bytes.Clone(file)
		m := min(size, n-to, n-at)
		part := bytes.Clone(c[at:][:m])
		copy(c[at:][:m], file[to:][:m])
		copy(c[to:][:m], part)
		return c, fmt.Sprintf("%d bytes at %d and %d exchanged", m, at, to)
	case 4:
		noise := make([]byte, size)
		for i := range noise {
			noise[i] = byte(rng.Uint32())
		}
		return slices.Concat(file[:at], noise, file[at:]), fmt.Sprintf("%d bytes inserted at %d", size, at)
	}
	to := rng.IntN(n)
	return slices.Concat(file[:to], file[at:end], file[to:]), fmt.Sprintf("%d to %d again at %d", at, end, to)
}

// Again repeats a random frame of a trace, in the same batch or in another.
func Again(file []byte, rng *rand.Rand) ([]byte, string, error) {
	list, err := Split(file)
	if err != nil {
		return nil, "", err
	}
	at, to := rng.IntN(len(list)), rng.IntN(len(list)+1)
	what := fmt.Sprintf("frame %d, of kind %d, again before frame %d", at, list[at].Kind, to)
	return Join(slices.Insert(list, to, list[at])), what, nil
}

// Program is a random program for Payloads and Events.
func Program(rng *rand.Rand) []byte {
	b := make([]byte, 4+rng.IntN(24))
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	return b
}
