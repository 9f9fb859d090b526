package host

// Program is this program's file, even if it was replaced or deleted since.
func Program() string { return "/proc/self/exe" }
