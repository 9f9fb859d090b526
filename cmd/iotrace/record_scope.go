package main

import (
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/cgroups"
	"github.com/iotrace/iotrace/tracer/containers"
)

// attaches reports whether processes are to be recorded that run already.
func (o *recordCommand) attaches() bool {
	return o.all || len(o.pids)+len(o.names)+len(o.groups)+len(o.containers)+len(o.users) > 0
}

// scope finds what the flags name.
func (o *recordCommand) scope() (tracer.Scope, error) {
	s := tracer.Scope{Names: o.names, All: o.all}
	for _, pid := range o.pids {
		s.PIDs = append(s.PIDs, uint32(pid))
	}
	for _, path := range o.groups {
		g, err := cgroups.Find(path)
		if err != nil {
			return s, err
		}
		s.Groups = append(s.Groups, g)
	}
	for _, name := range o.containers {
		groups, err := containers.Find(name)
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
	return s, nil
}
