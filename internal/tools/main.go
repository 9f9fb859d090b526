// Command tools does what the scripts of the tree need and a shell cannot do well, each by a command of its own:
// leftovers, mac, objects, symbols and workflow. It is not shipped.
package main

import (
	"fmt"
	"os"
)

// tasks are the commands. Those for Linux alone add themselves. They read arguments of their own, and end the program
// with a status where they fail.
var tasks = map[string]func(){"mac": recordMac, "objects": pack, "symbols": stripSymbols}

func main() {
	if len(os.Args) > 1 && tasks[os.Args[1]] != nil {
		run := tasks[os.Args[1]]
		os.Args = os.Args[1:]
		run()
		return
	}
	fmt.Fprintln(os.Stderr, "usage: tools leftovers|mac|objects|symbols|workflow ARGUMENT...")
	os.Exit(2)
}
