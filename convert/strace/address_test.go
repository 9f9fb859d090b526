package strace

import (
	"slices"
	"testing"

	"github.com/iotrace/iotrace/convert/internal/trial"
)

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

// The address of who data go to, or came from, is the call's second file. What a call only has room for is none, nor is
// what looks like one in the data.
func TestAddressesOfDatagrams(t *testing.T) {
	log, _ := trial.Import(t, &Importer,
		`100 1700000000.001000 sendto(3<socket:[7]>, "x"..., 5, 0, {sa_family=AF_INET, sin_port=htons(53), `+
			`sin_addr=inet_addr("192.0.2.7")}, 16) = 5 <0.000010>
100 1700000000.002000 recvfrom(3<socket:[7]>, "y"..., 512, 0, {sa_family=AF_INET, sin_port=htons(53), `+
			`sin_addr=inet_addr("192.0.2.8")}, [128 => 16]) = 60 <0.000010>
100 1700000000.003000 recvfrom(3<socket:[7]>, 0x7ffe, 512, 0, 0x7fff, [128]) = -1 EAGAIN (x) <0.000010>
100 1700000000.004000 sendto(3<socket:[7]>, "{sa_family=AF_UNIX, sun_path=\"/no\"}", 36, 0, NULL, 0) = 36 <0.000010>
100 1700000000.005000 sendmsg(3<socket:[7]>, {msg_name={sa_family=AF_UNIX, sun_path="/run/log"}, msg_namelen=11, `+
			`msg_iov=[{iov_base="z", iov_len=1}], msg_iovlen=1, msg_controllen=0, msg_flags=0}, 0) = 1 <0.000010>
100 1700000000.006000 recvmsg(3<socket:[7]>, {msg_name=NULL, msg_namelen=0, msg_iov=[{iov_base="msg_name={`+
			`sa_family=AF_UNIX, sun_path=\"/no\"}", iov_len=9}], msg_iovlen=1, msg_flags=0}, 0) = 1 <0.000010>
`)
	want := []string{"192.0.2.7:53", "192.0.2.8:53", "", "", "unix:/run/log", ""}
	var got []string
	for i := range log.Syscalls {
		got = append(got, log.Path(log.Syscalls[i].File2))
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
