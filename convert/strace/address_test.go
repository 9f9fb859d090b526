package strace

import "testing"

func TestAddress(t *testing.T) {
	for text, want := range map[string]string{
		`{sa_family=AF_INET, sin_port=htons(5432), sin_addr=inet_addr("192.0.2.7")}`: "192.0.2.7:5432",
		`{sa_family=AF_INET6, sin6_port=htons(80), sin6_flowinfo=htonl(0), inet_pton(AF_INET6, "2001:db8::7", ` +
			`&sin6_addr), sin6_scope_id=3}`: "[2001:db8::7%3]:80",
		`{sa_family=AF_UNIX, sun_path="/run/x"}`: "unix:/run/x",
		`{sa_family=AF_LOCAL, sun_path=@"name"}`: "unix:@name",
		`{sa_family=AF_UNIX}`:                    "",
		`{sa_family=AF_NETLINK, nl_pid=0}`:       "",
		`0x7ffe`:                                 "",
		`{sa_family=AF_UNIX, sun_path="`:         "",
	} {
		if got := address([]byte(text)); got != want {
			t.Errorf("%s is %q, want %q", text, got, want)
		}
	}
}
