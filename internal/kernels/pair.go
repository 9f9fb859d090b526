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

// What NFS and SMB want of both sides, and how their wire is reached.
var pairModules = []string{"virtio_net", "nfs", "nfsv4", "nfsd", "cifs", "ksmbd", "md4", "md5",
	"hmac", "cmac", "ecb", "aes_generic", "sha256_generic", "sha512_generic", "ccm", "gcm", "ctr", "ghash_generic"}

// The host takes this from the disks.
const traceName = "trace"

// pair is two machines of a kernel, a server of NFS and its client, that record the same work.
type pair struct {
	*trial
	kernel *kernel
}

// run boots both, merges what they recorded, and holds one side against the other.
func (p pair) run() (*outcome, error) {
	k := p.kernel
	all := &outcome{kernel: k, checks: []string{"server", "client", "merge"}}
	dir, err := p.prepare(k)
	if err != nil {
		all.err = err
		return all, err
	}
	server, client := p.wired("server", "client"), p.wired("client", "server")
	sides := []*outcome{{kernel: k, checks: []string{"server"}}, {kernel: k, checks: []string{"client"}}}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var both sync.WaitGroup
	for i, r := range []role{server, client} {
		both.Go(func() {
			if p.boot(ctx, sides[i], dir, r); !sides[i].ok() {
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
		found, err := p.compare(p.files(k, client), p.files(k, server))
		r := result{Check: "merge", OK: err == nil, Found: found}
		if err != nil {
			r.Found += "; but " + err.Error()
		}
		all.results = append(all.results, r)
	}
	return all, nil
}

// wired is the role of a machine that has a wire to another one.
func (p pair) wired(name, other string) role {
	end := func(name string) string { return filepath.Join(p.scratch, name+".wire") }
	mac := map[string]string{"server": "52:54:00:00:00:01", "client": "52:54:00:00:00:02"}[name]
	return role{name: name, modules: pairModules, devices: []string{
		"-netdev", "dgram,id=wire,local.type=unix,local.path=" + end(name) + ",remote.type=unix,remote.path=" + end(other),
		"-device", "virtio-net-pci,netdev=wire,mac=" + mac}}
}

// compare takes the traces of both sides from their disks, and judges them merged.
func (p pair) compare(clientFiles, serverFiles string) (string, error) {
	files := []struct{ dir, name, to string }{
		{clientFiles, traceName, "client.iotrace"}, {serverFiles, traceName, "server.iotrace"},
		{clientFiles, beforeName, beforeName}, {clientFiles, afterName, afterName},
		{clientFiles, shareName + traceName, shareName + "client.iotrace"},
		{clientFiles, shareName + beforeName, shareName + beforeName},
		{clientFiles, shareName + afterName, shareName + afterName},
	}
	if !shares(p.kernel) {
		files = files[:4]
	}
	for _, f := range files {
		to := filepath.Join(p.scratch, f.to)
		if err := run(exec.Command("debugfs", "-R", "dump "+f.name+" "+to, filepath.Join(f.dir, diskName))); err != nil {
			return "", err
		}
	}
	found, err := judgeMerged(filepath.Join(p.scratch, "host", "iotrace"), p.scratch, sourceBytes)
	asked, failed := judgeRPCs(p.scratch)
	found, err = found+"; "+asked, errors.Join(err, failed)
	if shares(p.kernel) {
		asked, failed = judgeShare(p.scratch, "10.9.0.1")
		found, err = found+"; "+asked, errors.Join(err, failed)
	}
	if p.traces == "" {
		return found, err
	}
	err = errors.Join(err, os.MkdirAll(p.traces, 0o755))
	for _, f := range append(files, struct{ dir, name, to string }{to: "both.iotrace"}) {
		err = errors.Join(err, run(exec.Command("cp", filepath.Join(p.scratch, f.to), p.traces)))
	}
	return found, err
}

// tryPair is the pair as a trial of its own, which prints what it found.
func (t *trial) tryPair(name string) error {
	k := find(name)
	if k == nil {
		return fmt.Errorf("no kernel %q", name)
	}
	o, err := pair{t, k}.run()
	printOutcome(os.Stdout, o)
	if o.ok() || t.lenient && errors.Is(err, errUnavailable) {
		return nil
	}
	return errors.New("the pair failed")
}
