//go:build linux

package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// unreachable is the status of a step that could not reach what it needs (EX_TEMPFAIL).
const unreachable = 75

type runner struct {
	top, only string
	settings  Values
	context   Context
	outcomes  strings.Builder
	failed    int
}

// workflow runs the jobs in the order of the file, which is that of their needs.
func (r *runner) workflow(w *Workflow) error {
	r.context = Context{"github.workflow": w.Name, "github.ref": "HEAD", "github.event.before": "", "runner.os": "Linux"}
	settings := Values{} // also where the file has none
	maps.Copy(settings, w.Env)
	maps.Copy(settings, r.settings)
	w.Env = settings
	r.context = r.context.With("env.", settings)
	for _, job := range w.Jobs {
		if r.only != "" && r.only != job.ID && !needed(w, r.only, job.ID) {
			continue
		}
		combinations, err := job.Combinations(r.context)
		if err != nil {
			return err
		}
		seen := map[string]bool{}
		for _, values := range combinations {
			if err := r.combination(w, job, values, seen); err != nil {
				return err
			}
		}
	}
	return nil
}

// needed reports whether a job takes what another one puts out.
func needed(w *Workflow, id, by string) bool {
	job, _ := w.Job(id)
	return job.Needs == by || job.Needs != "" && needed(w, job.Needs, by)
}

// combination runs a job once, unless it would run the same as before.
func (r *runner) combination(w *Workflow, job Job, values Values, seen map[string]bool) error {
	context := r.context.With("matrix.", values)
	system, err := context.Expand(job.RunsOn)
	if err != nil {
		return fmt.Errorf("job %s: %w", job.ID, err)
	}
	name := job.ID
	if len(values) > 0 {
		name += fmt.Sprint(" ", map[string]string(values))
	}
	if !strings.HasPrefix(system, "ubuntu") {
		r.outcome("not here", name, system, 0)
		return nil
	}
	steps, err := expand(context, job.Steps)
	if err != nil {
		return fmt.Errorf("job %s: %w", job.ID, err)
	}
	if key := fmt.Sprint(steps); seen[key] {
		r.outcome("the same", name, system, 0)
		return nil
	} else {
		seen[key] = true
	}
	began := time.Now()
	environment := maps.Clone(w.Env)
	for name, value := range job.Env {
		if environment[name], err = context.Expand(value); err != nil {
			return fmt.Errorf("job %s: %w", job.ID, err)
		}
	}
	status, err := r.job(job, name, steps, environment)
	if err != nil {
		return fmt.Errorf("job %s: %w", job.ID, err)
	}
	word := map[int]string{0: "ok", unreachable: "UNREACHABLE"}[status]
	if word == "" {
		word = "FAILED"
		r.failed++
	}
	r.outcome(word, name, system, time.Since(began))
	return nil
}

func (r *runner) outcome(word, name, system string, took time.Duration) {
	fmt.Fprintf(&r.outcomes, "  %-12s%-50s %-16s", word, name, system)
	if took > 0 {
		fmt.Fprint(&r.outcomes, took.Round(time.Second))
	}
	fmt.Fprintln(&r.outcomes)
}

// expand puts the values into what a step runs with.
func expand(context Context, steps []Step) (all []Step, err error) {
	for _, step := range steps {
		if step.Run == "" {
			step.With = nil // actions are not run
		} else if step.Run, err = context.Expand(step.Run); err != nil {
			return nil, err
		}
		step.Env = maps.Clone(step.Env)
		for name, value := range step.Env {
			if step.Env[name], err = context.Expand(value); err != nil {
				return nil, err
			}
		}
		all = append(all, step)
	}
	return all, nil
}

// job runs the steps in a clone of their own, and takes the outputs. The status is that of the first step that failed.
func (r *runner) job(job Job, name string, steps []Step, environment Values) (status int, err error) {
	work, err := os.MkdirTemp("/var/tmp", "iotrace-workflow-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(work)
	clone := filepath.Join(work, "clone")
	if out, err := exec.Command("git", "clone", "-q", r.top, clone).CombinedOutput(); err != nil {
		return 0, fmt.Errorf("git clone: %w: %s", err, out)
	}
	for i, step := range steps {
		title := step.Name
		if title == "" {
			title, _, _ = strings.Cut(step.Run+step.Uses, "\n")
		}
		runs, err := due(step.If, status)
		if err != nil {
			return 0, err
		}
		if !runs || step.Run == "" {
			fmt.Printf("--- %s: %s: not run here\n", name, title)
			continue
		}
		fmt.Printf("--- %s: %s\n", name, title)
		code, err := shell(work, filepath.Join(clone, step.WorkingDir), step.Run, environment, step.Env)
		if err != nil {
			return 0, err
		}
		if status == 0 {
			status = code
		}
		if step.ID != "" {
			if err := r.outputs(job, step.ID, filepath.Join(work, "output")); err != nil {
				return 0, fmt.Errorf("step %d: %w", i+1, err)
			}
		}
	}
	return status, nil
}

// due reports whether a step runs after what came before it.
func due(condition string, status int) (bool, error) {
	switch condition {
	case "":
		return status == 0, nil
	case "failure()":
		return status != 0, nil
	case "always()":
		return true, nil
	}
	return false, fmt.Errorf("the condition %q is not understood here", condition)
}

// shell runs a script as the runners of GitHub do, which stop at the first command that fails.
func shell(work, dir, script string, settings ...Values) (int, error) {
	file := filepath.Join(work, "step")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		return 0, err
	}
	c := exec.Command("bash", "-e", file)
	c.Dir, c.Stdout, c.Stderr = dir, os.Stdout, os.Stderr
	c.Env = append(os.Environ(), "CI=true", "GITHUB_OUTPUT="+filepath.Join(work, "output"))
	for _, values := range settings {
		for name, value := range values {
			c.Env = append(c.Env, name+"="+value)
		}
	}
	err := c.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return max(exit.ExitCode(), 1), nil
	}
	return 0, err
}

// outputs makes known to other jobs what a step has put out.
func (r *runner) outputs(job Job, step, file string) error {
	text, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	put := Values{}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		put["steps."+step+".outputs."+name] = value
	}
	known := r.context.With("", put)
	for name, value := range job.Outputs {
		if r.context["needs."+job.ID+".outputs."+name], err = known.Expand(value); err != nil {
			return err
		}
	}
	return nil
}
