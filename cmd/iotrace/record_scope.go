package main

import (
	"strconv"

	"github.com/spf13/pflag"

	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/machine"
)

// scopeFlags name processes that run already, or will, and what is recorded of what they do.
type scopeFlags struct {
	narrowFlags
	pids       []uint
	names      []string
	groups     []string
	containers []string
	users      []string
}

// add adds the flags; does is what is done to the processes.
func (o *scopeFlags) add(f *pflag.FlagSet, does string) {
	f.UintSliceVarP(&o.pids, "pid", "p", nil, does+" the running process `PID`, its threads and its children from now on")
	f.StringArrayVar(&o.names, "name", nil, does+" processes with this `NAME`, now and later")
	f.StringArrayVar(&o.groups, "cgroup", nil,
		does+" processes in the control group `PATH` or below it, for as long as they are there")
	f.StringArrayVar(&o.containers, "container", nil,
		does+" the running container `NAME` or ID, or a pod: a control group that is found by that")
	f.StringArrayVar(&o.users, "user", nil, does+" processes of the `USER`, a name or number, for as long as they are")
	f.Lookup("pid").DefValue = "" // a list of nothing is no default
	o.narrowFlags.add(f, does)
}

// any reports whether processes are named.
func (o *scopeFlags) any() bool {
	return len(o.pids)+len(o.names)+len(o.groups)+len(o.containers)+len(o.users) > 0
}

// arguments are the flags as they are given to another iotrace.
func (o *scopeFlags) arguments() (list []string) {
	if !o.any() {
		list = []string{"--all"}
	}
	for _, pid := range o.pids {
		list = append(list, "--pid="+strconv.FormatUint(uint64(pid), 10))
	}
	for _, flag := range []struct {
		name   string
		values []string
	}{{"name", o.names}, {"cgroup", o.groups}, {"container", o.containers}, {"user", o.users}, {"device", o.devices},
		{"file", o.files}} {
		for _, value := range flag.values {
			list = append(list, "--"+flag.name+"="+value)
		}
	}
	return list
}

// scope finds what the flags name.
func (o *scopeFlags) scope() (tracer.Scope, error) {
	s := tracer.Scope{Names: o.names}
	for _, pid := range o.pids {
		s.PIDs = append(s.PIDs, uint32(pid))
	}
	for _, path := range o.groups {
		g, err := machine.FindGroup(path)
		if err != nil {
			return s, err
		}
		s.Groups = append(s.Groups, g)
	}
	for _, name := range o.containers {
		groups, err := machine.Containers(name)
		if err != nil {
			return s, err
		}
		s.Groups = append(s.Groups, groups...)
	}
	for _, name := range o.users {
		u, err := tracer.FindAccount(name)
		if err != nil {
			return s, err
		}
		s.Users = append(s.Users, u)
	}
	var err error
	s.Only, err = o.narrow()
	return s, err
}

// attaches reports whether processes are to be recorded that run already.
func (o *recordCommand) attaches() bool { return o.all || o.scopeFlags.any() }

// scope finds what the flags name. A device or files alone are for whoever uses them.
func (o *recordCommand) scope(command []string) (tracer.Scope, error) {
	s, err := o.scopeFlags.scope()
	s.All = o.all || !o.any() && len(command) == 0
	return s, err
}
