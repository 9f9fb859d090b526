package samples

import (
	"bytes"
	"math/rand/v2"
	"os"
	"testing"
)

// Whatever a program says, it comes to its end: a fuzzer takes one that does not for a fault of what is tried.
func TestEveryProgramEnds(t *testing.T) {
	file, err := os.ReadFile("../../testdata/cp.iotrace")
	if err != nil {
		t.Fatal(err)
	}
	programs := [][]byte{bytes.Repeat([]byte{1, 0}, 400)} // no frame is left
	rng := rand.New(rand.NewPCG(7, 7))
	for range 300 {
		p := make([]byte, rng.IntN(1000))
		for i := range p {
			p[i] = byte(rng.Uint32())
		}
		programs = append(programs, p)
	}
	for _, p := range programs {
		for _, change := range []func(file, changes []byte) ([]byte, error){Payloads, Events} {
			_, _ = change(bytes.Clone(file), p) // an error is a trace that cannot be made
		}
	}
}
