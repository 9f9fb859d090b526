//go:build linux

package main

// This file holds what the client's trace says it asked over SMB against what the client's kernel counted of the share.

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/trace"
)

// shareName is before the names of these files.
const shareName = "smb-"

// shareAsked is what was asked of the share by one command.
type shareAsked struct{ count, bytes int64 }

// shareCounters are the kernel's names of what it counts, by command.
var shareCounters = map[string]string{
	"TreeConnects": "TREE_CONNECT", "TreeDisconnects": "TREE_DISCONNECT", "Creates": "CREATE", "Closes": "CLOSE",
	"Flushes": "FLUSH", "Reads": "READ", "Writes": "WRITE", "Locks": "LOCK", "IOCTLs": "IOCTL",
	"QueryDirectories": "QUERY_DIRECTORY", "ChangeNotifies": "CHANGE_NOTIFY", "QueryInfos": "QUERY_INFO",
	"SetInfos": "SET_INFO", "OplockBreaks": "OPLOCK_BREAK",
}

// judgeShare compares the commands of smb-client.iotrace with the differences of the statistics before and after: how
// many of each, the bytes of reads and writes. All are of the server, and all data is of a file.
func judgeShare(dir, server string) (string, error) {
	before, err := readShareStatistics(filepath.Join(dir, shareName+beforeName))
	if err != nil {
		return "", err
	}
	after, err := readShareStatistics(filepath.Join(dir, shareName+afterName))
	if err != nil {
		return "", err
	}
	all, err := rpcsBetween(filepath.Join(dir, shareName+"client.iotrace"), "/cifs/Stats", trace.ProtocolSMB)
	if err != nil {
		return "", err
	}
	recorded := map[string]shareAsked{}
	var wrong []error
	for i := range all {
		r := &all[i]
		a := recorded[r.Procedure]
		recorded[r.Procedure] = shareAsked{a.count + 1, a.bytes + r.Bytes}
		if r.Server != server || r.Bytes > 0 && r.File == 0 {
			wrong = append(wrong, fmt.Errorf("%s of %d bytes of file %d by %q", r.Procedure, r.Bytes, r.File, r.Server))
		}
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(after)) {
		counted := shareAsked{after[name].count - before[name].count, after[name].bytes - before[name].bytes}
		if counted != recorded[name] {
			wrong = append(wrong, fmt.Errorf("%s: the kernel counted %+v, recorded are %+v", name, counted, recorded[name]))
		}
		if counted.count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counted.count, name))
		}
	}
	if recorded["READ"].count == 0 || recorded["WRITE"].count == 0 {
		wrong = append(wrong, errors.New("no data went over SMB"))
	}
	return fmt.Sprintf("SMB: %s, %d bytes read and %d written, as the kernel counted", strings.Join(parts, ", "),
		recorded["READ"].bytes, recorded["WRITE"].bytes), errors.Join(wrong...)
}

// readShareStatistics reads what the kernel counted of the share (/proc/fs/cifs/Stats), by command.
func readShareStatistics(path string) (map[string]shareAsked, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	_, list, ok := strings.Cut(string(text), "\n1) ")
	if !ok {
		return nil, fmt.Errorf("%s: no share", path)
	}
	all := map[string]shareAsked{}
	var read, written int64
	for line := range strings.Lines(list) {
		name, numbers, _ := strings.Cut(line, ": ")
		var a shareAsked
		if _, err := fmt.Sscanf(line, "Bytes read: %d Bytes written: %d", &read, &written); err == nil {
			continue
		}
		if command := shareCounters[name]; command != "" {
			if _, err := fmt.Sscan(numbers, &a.count); err != nil {
				return nil, fmt.Errorf("%s: %q", path, line)
			}
			all[command] = a
		}
	}
	all["READ"] = shareAsked{all["READ"].count, read}
	all["WRITE"] = shareAsked{all["WRITE"].count, written}
	return all, nil
}
