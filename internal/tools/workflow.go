//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"go.yaml.in/yaml/v3"
)

// Dir is where they are, below the top of the repository.
const Dir = ".github/workflows"

// Workflow is one file. A key that is not here is an error, as a misspelt one would be ignored otherwise.
type Workflow struct {
	File        string    `yaml:"-"`
	Name        string    `yaml:"name"`
	On          yaml.Node `yaml:"on"`
	Permissions yaml.Node `yaml:"permissions"`
	Concurrency yaml.Node `yaml:"concurrency"`
	Env         Values    `yaml:"env"`
	Jobs        Jobs      `yaml:"jobs"`
}

// Values are settings by name.
type Values map[string]string

// Jobs are in the order of the file.
type Jobs []Job

// Job is what one machine runs.
type Job struct {
	ID             string    `yaml:"-"`
	Name           string    `yaml:"name"`
	Needs          string    `yaml:"needs"`
	RunsOn         string    `yaml:"runs-on"`
	Permissions    yaml.Node `yaml:"permissions"`
	TimeoutMinutes int       `yaml:"timeout-minutes"`
	Env            Values    `yaml:"env"`
	Outputs        Values    `yaml:"outputs"`
	Strategy       Strategy  `yaml:"strategy"`
	Steps          []Step    `yaml:"steps"`
}

// Strategy says how often a job runs: once for each combination of the matrix.
type Strategy struct {
	FailFast *bool                `yaml:"fail-fast"`
	Matrix   map[string]yaml.Node `yaml:"matrix"`
}

// Step either runs a script or uses an action.
type Step struct {
	ID         string `yaml:"id"`
	Name       string `yaml:"name"`
	If         string `yaml:"if"`
	Uses       string `yaml:"uses"`
	With       Values `yaml:"with"`
	Run        string `yaml:"run"`
	WorkingDir string `yaml:"working-directory"`
	Env        Values `yaml:"env"`
}

// UnmarshalYAML keeps the order of the file.
func (jobs *Jobs) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: jobs are no mapping", node.Line)
	}
	for i := 0; i < len(node.Content); i += 2 {
		job := Job{ID: node.Content[i].Value}
		if err := strictly(node.Content[i+1], &job); err != nil {
			return fmt.Errorf("job %s: %w", job.ID, err)
		}
		*jobs = append(*jobs, job)
	}
	return nil
}

// strictly decodes a node as Read does a file: the setting of its decoder does not reach what decodes itself.
func strictly(node *yaml.Node, into any) error {
	text, err := yaml.Marshal(node)
	if err != nil {
		return err
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	return d.Decode(into)
}

// Read reads one file.
func Read(path string) (*Workflow, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	w := &Workflow{File: filepath.Base(path)}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(w); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return w, nil
}

// Job finds one by its name in the file.
func (w *Workflow) Job(id string) (Job, bool) {
	for _, job := range w.Jobs {
		if job.ID == id {
			return job, true
		}
	}
	return Job{}, false
}
