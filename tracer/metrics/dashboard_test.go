package metrics

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// The example of a dashboard asks for metrics and labels that are served, and shows each metric somewhere.
func TestDashboard(t *testing.T) {
	text, err := os.ReadFile("../../packaging/grafana.json")
	if err != nil {
		t.Fatal(err)
	}
	var dashboard any
	if err := json.Unmarshal(text, &dashboard); err != nil {
		t.Fatal(err)
	}
	served := everyMetric()
	labels := map[string]bool{"le": true, "instance": true} // instance is Prometheus's own
	for _, m := range regexp.MustCompile(`[{,](\w+)="`).FindAllStringSubmatch(served, -1) {
		labels[m[1]] = true
	}
	asked := map[string]bool{}
	for _, q := range queries(dashboard) {
		for _, name := range regexp.MustCompile(`iotrace_\w+`).FindAllString(q, -1) {
			asked[name] = true
			if !regexp.MustCompile(`(?m)^(# TYPE )?` + name + `[{ ]`).MatchString(served) {
				t.Errorf("%s is not served, and is in %s", name, q)
			}
		}
		for _, m := range regexp.MustCompile(`(\w+)=~?"|by \(([\w, ]+)\)`).FindAllStringSubmatch(q, -1) {
			for label := range strings.SplitSeq(m[1]+m[2], ",") {
				if label = strings.TrimSpace(label); !labels[label] {
					t.Errorf("no metric has the label %s, which is in %s", label, q)
				}
			}
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^# TYPE (\w+) (\w+)`).FindAllStringSubmatch(served, -1) {
		if name := m[1]; !asked[name] && !(m[2] == "histogram" && asked[name+"_bucket"]) {
			t.Errorf("no panel shows %s", name)
		}
	}
}

// queries are what a dashboard asks Prometheus, wherever that stands.
func queries(x any) (list []string) {
	switch x := x.(type) {
	case []any:
		for _, y := range x {
			list = append(list, queries(y)...)
		}
	case map[string]any:
		for key, y := range x {
			if s, ok := y.(string); ok && (key == "expr" || key == "query") {
				list = append(list, s)
			}
			list = append(list, queries(y)...)
		}
	}
	return list
}

// everyMetric is the page of a recorder that has seen something of every kind.
func everyMetric() string {
	c := New()
	c.Device(&trace.Device{ID: 5, Name: "sda"})
	c.Request(&trace.Request{Completed: 1, Device: 5, Op: trace.ReqRead, Bytes: 512, Error: 5})
	c.Lost(&trace.Lost{Count: 1})
	c.Triggered("lost > 0")
	c.Wrote()
	c.Keeps(Kept{Bytes: 1})
	return string(c.Text(Own{Version: "v1"}))
}
