package trace

// unixPrefix begins the address of a Unix socket.
const unixPrefix = "unix:"

// UnixAddress is the address of a Unix socket with a name, "" if it has none: a path, or a name that begins with "@"
// and is in no directory. Those of the Internet are as "192.0.2.7:80" and "[2001:db8::7]:80".
func UnixAddress(name string) string {
	if name == "" {
		return ""
	}
	return unixPrefix + name
}

// AddressFile is the identity that an address has as the second file of a call that Meets.
func AddressFile(id FileID, address string, now int64) File {
	return File{Time: now, ID: id, Path: address, Type: FileSocket, FSType: "sockfs"}
}
