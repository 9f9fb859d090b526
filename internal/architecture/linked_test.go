package architecture

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// heavy are packages that the program is to do without, and what they add to it.
var heavy = map[string]string{
	"net/http":      "TLS and HTTP/2, 3.5 MB; tracer/metrics answers HTTP itself",
	"html/template": "every exported method, 2 MB; report/page writes markup itself",
}

// listed is what go list tells of a package.
type listed struct {
	ImportPath string
	Imports    []string
}

// TestNothingHeavyIsLinked: text/template calls methods by their names, so the linker keeps every exported one as soon
// as a template can be executed. cobra imports it, and leaves it out unless a template is set.
func TestNothingHeavyIsLinked(t *testing.T) {
	c := exec.Command("go", "list", "-deps", "-json=ImportPath,Imports", "../../cmd/iotrace")
	c.Env = append(os.Environ(), "GOOS=linux", "CGO_ENABLED=0")
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	all := 0
	for d := json.NewDecoder(strings.NewReader(string(out))); ; all++ {
		var p listed
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if why, bad := heavy[p.ImportPath]; bad {
			t.Errorf("the program links %s: %s", p.ImportPath, why)
		}
		if strings.HasPrefix(p.ImportPath, module) && slices.Contains(p.Imports, "text/template") {
			t.Errorf("%s executes templates, for which the linker keeps every exported method", p.ImportPath)
		}
	}
	if all < 100 {
		t.Errorf("the program consists of %d packages", all)
	}
}

// setting are the methods of cobra's commands that set a template.
var setting = regexp.MustCompile(`\.(Set(Version|Help|Usage|Error)Template|AddTemplateFuncs?)\(`)

func TestNoCommandHasATemplate(t *testing.T) {
	for _, pattern := range []string{"*.go", "internal/*/*.go"} {
		files, err := filepath.Glob("../../cmd/iotrace/" + pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%q, %v", files, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if at := setting.Find(text); at != nil {
				t.Errorf("%s has %s: the linker keeps every exported method then", file, at)
			}
		}
	}
}
