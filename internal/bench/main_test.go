//go:build linux

package main

import (
	"os"
	"testing"

	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/tracer"
)

func TestMain(m *testing.M) {
	tracer.RunHeld()
	asWorkload()
	os.Exit(testenv.Suite{M: m}.Run())
}
