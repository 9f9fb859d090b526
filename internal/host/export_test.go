package host

// ErrOtherParent is for tests outside: they use testenv, which asks host.
var ErrOtherParent = errOtherParent
