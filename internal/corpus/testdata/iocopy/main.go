// Copies a file with io.Copy: with "plain" through a buffer of its own, since
// neither side offers the kernel's way.
package main

import (
	"io"
	"log"
	"os"
)

func main() {
	in, err := os.Open(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	out, err := os.Create(os.Args[3])
	if err != nil {
		log.Fatal(err)
	}
	var r io.Reader = in
	var w io.Writer = out
	if os.Args[1] == "plain" {
		r, w = struct{ io.Reader }{in}, struct{ io.Writer }{out}
	}
	if _, err := io.Copy(w, r); err != nil {
		log.Fatal(err)
	}
	if err := out.Close(); err != nil {
		log.Fatal(err)
	}
}
