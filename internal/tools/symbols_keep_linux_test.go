package main

import (
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/tracer"
)

func TestMain(m *testing.M) {
	if os.Getenv("SYMBOLS_SAY_IGNORED") != "" {
		fmt.Println(tracer.AtStart().Has(syscall.SIGTERM), tracer.AtStart().Has(syscall.SIGUSR2))
		os.Exit(0)
	}
	os.Exit(testenv.Suite{M: m}.Run())
}

// What is left of this program is smaller, runs, and still finds out which signals it was started without.
func TestKeptSymbolsAreEnough(t *testing.T) {
	path := filepath.Join(t.TempDir(), "program")
	// Without -c it has no symbols.
	if out, err := exec.Command("go", "test", "-c", "-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := keepIn(path, tracer.Symbols); err != nil {
		t.Fatal(err)
	}
	f, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil || len(symbols) != len(tracer.Symbols) {
		t.Fatalf("symbols %v, %v", symbols, err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() >= int64(len(whole))*98/100 {
		t.Errorf("%d of %d bytes are left, %v", info.Size(), len(whole), err)
	}
	c := exec.Command("sh", "-c", `trap "" TERM; exec "$0"`, path)
	c.Env = append(os.Environ(), "SYMBOLS_SAY_IGNORED=1")
	out, err := c.CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "true false" {
		t.Errorf("%v: ignored are SIGTERM and SIGUSR2: %s", err, out)
	}
	if err := keepIn(path, []string{"runtime.missing"}); err == nil {
		t.Error("a missing symbol is no error")
	}
}
