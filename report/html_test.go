package report

import (
	"os"
	"testing"
)

func TestWriteSamples(t *testing.T) {
	for name := range profiles {
		f, err := os.Create("/tmp/rep/" + name + ".html")
		if err != nil {
			t.Fatal(err)
		}
		if err := HTML(f, load(t, name), HTMLOptions{}); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	f, _ := os.Create("/tmp/rep/big.html")
	if err := HTML(f, copyProfile(8<<30, 600, 2000), HTMLOptions{}); err != nil {
		t.Fatal(err)
	}
	f.Close()
}
