package copies

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// TestPairAtOnce: several connections carry as many bytes at the same time. What is read from one end can only
// have been written to the other before.
func TestPairAtOnce(t *testing.T) {
	streams := map[*world.File]*stream{}
	var clients, servers []*world.File
	for i := range int64(4) {
		client := &world.File{Kind: trace.FileSocket, Inode: uint64(100 + 10*i)}
		server := &world.File{Kind: trace.FileSocket, Inode: uint64(200 - 10*i)}
		clients, servers = append(clients, client), append(servers, server)
		at := 1000 * (i + 1)
		span := func(from int64) callSpan {
			return callSpan{From: from, First: from + 20, To: from + 50_000}
		}
		streams[client] = &stream{File: client, Given: 112, Gave: span(at), Taken: 5_000_000,
			Took: span(at + 500)}
		streams[server] = &stream{File: server, Taken: 112, Took: span(at + 30), Given: 5_000_000,
			Gave: span(at + 490)}
	}
	ends := pair(streams)
	for i := range clients {
		if ends[clients[i]] != servers[i] || ends[servers[i]] != clients[i] {
			t.Errorf("connection %d: %v and %v", i, ends[clients[i]], ends[servers[i]])
		}
	}
}

// TestPairCutOff: a program closes a connection before it has read all that was sent, and its question tells which
// one that was.
func TestPairCutOff(t *testing.T) {
	client := &world.File{Kind: trace.FileSocket, Inode: 100}
	server := &world.File{Kind: trace.FileSocket, Inode: 300}
	ends := pair(map[*world.File]*stream{
		client: {File: client, Given: 182, Gave: callSpan{From: 10, First: 20, To: 20}, Taken: 5_253_310,
			Took: callSpan{From: 100, First: 110, To: 900}},
		server: {File: server, Taken: 182, Took: callSpan{From: 15, First: 25, To: 25}, Given: 10_195_043,
			Gave: callSpan{From: 90, First: 95, To: 950}},
	})
	if ends[client] != server || ends[server] != client {
		t.Errorf("%v", ends)
	}
}
