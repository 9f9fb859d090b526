//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
)

// What NFS wants of both sides, and how their wire is reached.
var pairModules = []string{"virtio_net", "nfs", "nfsv4", "nfsd"}

// The host takes this from the disks; guest/pair.go has the same.
const traceName = "trace"

// pair has two machines of a kernel, a server of NFS and its client, record the same work, merges what they recorded,
// and holds one side against the other.
func (t *trial) pair(k *kernel) (*outcome, error) {
	all := &outcome{kernel: k, checks: []string{"server", "client", "merge"}}
	dir, err := t.prepare(k)
	if err != nil {
		all.err = err
		return all, err
	}
	server, client := t.wired("server", "client"), t.wired("client", "server")
	sides := []*outcome{{kernel: k, checks: []string{"server"}}, {kernel: k, checks: []string{"client"}}}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var both sync.WaitGroup
	for i, r := range []role{server, client} {
		both.Go(func() {
			if t.boot(ctx, sides[i], dir, r); !sides[i].ok() {
				cancel() // the other would wait for it
			}
		})
	}
	both.Wait()
	for _, s := range sides {
		all.results = append(all.results, s.results...)
		all.err = errors.Join(all.err, s.err)
		all.took = max(all.took, s.took)
	}
	if all.err == nil && all.find("server").OK && all.find("client").OK {
		found, err := t.compare(t.files(k, client), t.files(k, server))
		r := result{Check: "merge", OK: err == nil, Found: found}
		if err != nil {
			r.Found += "; but " + err.Error()
		}
		all.results = append(all.results, r)
	}
	return all, nil
}

// wired is the role of a machine that has a wire to another one.
func (t *trial) wired(name, other string) role {
	end := func(name string) string { return filepath.Join(t.scratch, name+".wire") }
	mac := map[string]string{"server": "52:54:00:00:00:01", "client": "52:54:00:00:00:02"}[name]
	return role{name: name, modules: pairModules, devices: []string{
		"-netdev", "dgram,id=wire,local.type=unix,local.path=" + end(name) + ",remote.type=unix,remote.path=" + end(other),
		"-device", "virtio-net-pci,netdev=wire,mac=" + mac}}
}

// compare takes the traces of both sides from their disks, and judges them merged.
func (t *trial) compare(clientFiles, serverFiles string) (string, error) {
	tool := filepath.Join(t.scratch, "host", "iotrace")
	merge := exec.Command(tool, "merge", "-q", "-f", "-o",
		filepath.Join(t.scratch, "both.iotrace"))
	for name, dir := range map[string]string{"client": clientFiles, "server": serverFiles} {
		path := filepath.Join(t.scratch, name+".iotrace")
		if err := run(exec.Command("debugfs", "-R", "dump "+traceName+" "+path, filepath.Join(dir, diskName))); err != nil {
			return "", err
		}
		merge.Args = append(merge.Args, path)
	}
	if err := run(merge); err != nil {
		return "", err
	}
	if t.traces != "" {
		for _, name := range []string{"client", "server", "both"} {
			from, to := filepath.Join(t.scratch, name+".iotrace"), filepath.Join(t.traces, name+".iotrace")
			if err := run(exec.Command("cp", from, to)); err != nil {
				return "", err
			}
		}
	}
	w, err := readPair(filepath.Join(t.scratch, "both.iotrace"))
	if err != nil {
		return "", err
	}
	if w.durable, err = durable(tool, filepath.Join(t.scratch, "both.iotrace")); err != nil {
		return "", err
	}
	for _, name := range []string{"client", "server"} {
		off, err := clockError(filepath.Join(t.scratch, name+".iotrace"))
		if err != nil {
			return "", err
		}
		w.uncertain += off
	}
	return w.found(), w.judge()
}

// tryPair is the pair as a trial of its own, which prints what it found.
func (t *trial) tryPair(name string) error {
	k := find(name)
	if k == nil {
		return fmt.Errorf("no kernel %q", name)
	}
	o, err := t.pair(k)
	printOutcome(os.Stdout, o)
	if o.ok() || t.lenient && errors.Is(err, errUnavailable) {
		return nil
	}
	return errors.New("the pair failed")
}
