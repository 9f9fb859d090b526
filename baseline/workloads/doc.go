// Package workloads measures everyday work on several volumes: real programs
// copy files and trees, clone and start there, and a file is scrubbed as a film
// editor does. It writes only in directories of its own and removes them.
package workloads
