package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

var statusSignals = []os.Signal{unix.SIGUSR1, unix.SIGINFO}
