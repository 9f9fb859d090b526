//go:build linux

package main

import (
	"os"
	"runtime"
	"strings"
)

// reporting is the smallest block of free memory, as a power of two of pages, that a guest hands back to its host.
const reporting = "/sys/module/page_reporting/parameters/page_reporting_order"

// KeepMemory makes a virtual machine keep the memory that it frees, until the function it returns is called. A guest
// with free page reporting gives freed page cache back to its host and gets it again by a page fault in the host: a
// copy of 1 GiB then takes 0.4 s or 1.1 s, by chance. It says what it changed, nothing elsewhere.
func KeepMemory() (said string, restore func()) {
	old, err := os.ReadFile(reporting)
	if err != nil {
		return "", func() {}
	}
	// MAX_PAGE_ORDER: the kernel takes no larger one, and blocks as large as this are rare, unless gigabytes are free
	const largest = "10"
	if err := os.WriteFile(reporting, []byte(largest), 0); err != nil {
		return "", func() {}
	}
	restore = func() { os.WriteFile(reporting, old, 0) }
	return "Free page reporting of this virtual machine was held back meanwhile (order " + largest + " instead of " +
		strings.TrimSpace(string(old)) +
		"). With it, the time of a copy depends on whether the host has taken the memory.", restore
}

// CPU is the model of the processor, or its architecture if the kernel does not tell.
func CPU() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}
