//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// form is a template of an issue, as GitHub reads it; a key that is not here would hide the form.
type form struct {
	Name        string   `yaml:"name"`
	Description string   `yaml:"description"`
	Labels      []string `yaml:"labels"`
	Body        []struct {
		Type        string            `yaml:"type"`
		ID          string            `yaml:"id"`
		Attributes  map[string]string `yaml:"attributes"`
		Validations map[string]bool   `yaml:"validations"`
	} `yaml:"body"`
}

// The forms are whole, and ask for what an answer takes: the version, the doctor and a trace without names.
func TestIssuesAskForWhatAnAnswerTakes(t *testing.T) {
	files, err := filepath.Glob(top + "/.github/ISSUE_TEMPLATE/*.yml")
	if err != nil {
		t.Fatal(err)
	}
	forms := 0
	for _, file := range files {
		if filepath.Base(file) == "config.yml" {
			continue
		}
		forms++
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var f form
		d := yaml.NewDecoder(strings.NewReader(string(text)))
		d.KnownFields(true)
		if err := d.Decode(&f); err != nil || f.Name == "" || f.Description == "" {
			t.Errorf("%s: %v, name %q, description %q", file, err, f.Name, f.Description)
		}
		ids := map[string]bool{}
		for _, part := range f.Body {
			if part.Type == "markdown" {
				continue
			}
			if part.ID == "" || ids[part.ID] || part.Attributes["label"] == "" {
				t.Errorf("%s: %q is no name of its own, or has no label", file, part.ID)
			}
			ids[part.ID] = true
		}
		asks(t, file, string(text))
	}
	if forms == 0 {
		t.Error("there are no forms")
	}
	request := top + "/.github/PULL_REQUEST_TEMPLATE.md"
	text, err := os.ReadFile(request)
	if err != nil {
		t.Fatal(err)
	}
	asks(t, request, string(text))
}

func asks(t *testing.T, file, text string) {
	t.Helper()
	for _, command := range []string{"iotrace --version", "iotrace doctor", "iotrace export --anonymize --to jsonl"} {
		if !strings.Contains(text, command) {
			t.Errorf("%s does not ask for %s", file, command)
		}
	}
}
