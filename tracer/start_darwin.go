package tracer

// beyondTheRuntime knows nothing: on macOS a command finds SIGHUP and SIGINT
// ignored if they were, and the rest default.
func beyondTheRuntime() ignoredSignals { return 0 }
