package main

// backends are those of macOS, best first.
func backends() []backend {
	return []backend{
		{name: "kdebug", about: "system calls, page cache and disk requests by the kernel's trace buffer"},
		{name: "dtrace", about: "the same by DTrace, where System Integrity Protection allows it"},
		{name: "fs_usage", about: "file system calls and disk requests as fs_usage prints them"},
	}
}
