// Package host asks the system about the machine, this process and others.
package host
