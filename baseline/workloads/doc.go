// Package workloads measures everyday work on several volumes: real programs
// copy files and trees, clone and start there, and a file is scrubbed as a film
// editor does. It writes only in directories of its own and removes them. It is a package of its own because it starts
// programs of others, which the load generator never does.
package workloads
