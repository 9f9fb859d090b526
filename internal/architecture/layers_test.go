package architecture

import (
	"slices"
	"strings"
	"testing"
)

// layer is what the packages of a directory may import of ours. Those below the directory may import the same, unless
// they have a row of their own.
type layer struct{ dir, may, why string }

// layers are read from the vocabulary up to the command. Each package is in the row with the longest directory that it
// is in or below, and may import what that row names, all that is below what it names, and all below itself.
var layers = []layer{
	{"trace", "", "the vocabulary of events: it imports nothing"},
	{"trace/schema", "trace", "what an event consists of, and what its numbers name"},
	{"trace/tracefile", "trace", "a file of events does not know who makes or reads them"},
	{"stats", "stats", "statistics of numbers"},
	{"internal", "internal trace", "what the product asks of the system"},

	{"analyzer/profile", "trace", "a profile is types"},
	{"analyzer/cause", "", "the table of causes is text"},
	{"analyzer/timeline", "trace", "numbers do not know who is who"},
	{"analyzer/wording", "analyzer/profile internal/unit", "numbers do not know who is who"},
	{"analyzer/measure", "analyzer/profile analyzer/timeline stats", "numbers do not know who is who"},
	{"analyzer/world", "analyzer/profile trace", "who is who, before anything is made of it"},
	{"analyzer/survey", "analyzer/profile analyzer/measure analyzer/timeline analyzer/world trace",
		"the first reading does not know the second"},
	{"analyzer/program", "analyzer/timeline trace", "what a program did, before anything is made of it"},
	{"analyzer/course", collector, apart},
	{"analyzer/copies", collector, apart},
	{"analyzer/usage", "internal/host " + collector, apart},
	{"analyzer/path", "trace/tracefile " + collector, apart},
	{"analyzer/verdict", "analyzer/cause " + finished, "sentences are made from a finished profile"},
	{"analyzer/answer", "analyzer/cause analyzer/verdict internal/visible " + finished,
		"sentences are made from a finished profile"},
	{"analyzer", "analyzer internal trace", "the analyzer reads traces; it does not record them"},
	{"analyzer/compare", "analyzer/cause analyzer/profile analyzer/wording baseline internal/unit stats trace",
		"profiles and results are compared, not made"},
	{"analyzer/gap",
		"analyzer/cause analyzer/profile analyzer/program baseline internal/bounded internal/unit stats trace",
		"a gap lies between a recording and a result"},
	{"analyzer/whatif",
		"analyzer/program analyzer/survey analyzer/timeline analyzer/world internal/unit " +
			"internal/visible trace",
		"a prediction is made from events, not from a profile"},
	{"analyzer/whatif/drive", "analyzer/timeline baseline trace",
		"a drive is known by its requests or from a benchmark, not by who used it"},

	{"tracer", "=tracer tracer/machine internal trace", "no recorder knows another"},
	{"tracer/metrics", "internal trace", "counts are made of events, whoever tells of them"},
	{"tracer/flight", "=tracer tracer/metrics tracer/machine internal trace", "it drives a recorder, whichever that is"},
	{"tracer/backends", "tracer internal trace", "which recorders there are, and what each records here"},
	{"tracer/kdebug/kdsim", "tracer/kdebug internal =tracer trace", "a Mac for tests"},
	{"tracer/strace", "=convert convert/strace =tracer tracer/machine internal trace",
		"it reads the log of strace as the importer does"},
	{"convert", "=convert convert/internal internal trace", "no format knows another"},
	{"convert/internal", "=convert convert/conversion trace", "what the formats share"},
	{"convert/strace", "=convert convert/calls convert/internal tracer/machine internal trace",
		"no format knows another"},
	{"convert/calls", "=convert convert/block convert/internal internal trace", "no format knows another"},
	{"convert/darwin", mac, "logs of the Mac are read as its recorders read them"},
	{"convert/block", "=convert convert/internal internal analyzer/timeline trace", "no format knows another"},
	{"convert/fio",
		"=convert convert/calls convert/internal analyzer/program analyzer/timeline internal trace",
		"no format knows another"},
	{"convert/tables", "analyzer internal trace", "the tables of an analysis"},
	{"convert/conversion", "convert internal trace", "all recordings of a directory"},
	{"convert/formats", "convert internal/output trace", "which formats there are"},

	{"baseline", "internal", "the catalogue is types: it measures nothing"},
	{"baseline/storage", "=baseline internal", measures},
	{"baseline/generator", "=baseline baseline/storage internal stats trace", measures},
	{"replay", "analyzer/program internal stats trace", "a recording is run again"},
	{"experiment", "analyzer/gap analyzer/wording baseline internal replay stats trace",
		"an experiment measures; it does not record"},

	{"report/table", "internal", "a table does not know what it is about"},
	{"report/content", "report/table " + profiles, "what is said does not know what shows it"},
	{"report/chart", "report/content report/table " + profiles, "table, content, chart, then text and page"},
	{"report/text", "report/content report/table analyzer/whatif convert/jsonl replay " + profiles,
		"the terminal draws no charts"},
	{"report/page", "report/benchmarks report/chart report/content report/table baseline " + profiles,
		"the page does not know the terminal"},
	{"report/benchmarks", "baseline internal report/table", "results are printed, not made"},

	{"cmd", anything, "imports run from cmd down"},
	{"internal/bench", anything, "tools are not shipped"},
	{"internal/samples", "analyzer/cause analyzer/gap analyzer/profile baseline stats trace", "samples for tests"},
	{"internal/kernels", anything, "tools are not shipped"},
	{"internal/tools", anything, "tools are not shipped"},
}

const (
	collector = "analyzer/measure analyzer/profile analyzer/survey analyzer/timeline analyzer/world analyzer/wording " +
		"internal/unit stats trace"
	measures = "the catalogue, then storage, then the generator; no benchmark records"
	apart    = "no collector knows another"
	finished = "analyzer/measure analyzer/profile analyzer/timeline analyzer/wording internal/unit trace"
	profiles = "analyzer/answer analyzer/compare analyzer/gap analyzer/profile analyzer/wording internal stats trace"
	mac      = "=convert convert/internal =tracer tracer/fsusage tracer/kdebug internal trace"
	anything = "*"
	common   = "internal/sorting" // whoever has lists: it knows nothing of ours
)

// TestLayers: what is imported is what a layer may import, and nothing may be imported that is not.
func TestLayers(t *testing.T) {
	used := map[string]bool{}
	for _, r := range rooms(t) {
		in := layerOf(r.path)
		if in == nil {
			t.Errorf("%s is in no layer", r.path)
			continue
		}
		for i := range r.imports {
			allowed := permission(in, i)
			used[in.dir+" "+allowed] = true
			if allowed == "" && !within(i, r.path) {
				t.Errorf("%s imports %s, but %s (layers_test.go)", r.path, i, in.why)
			}
		}
	}
	for _, l := range layers {
		for _, dir := range strings.Fields(l.may) {
			if !used[l.dir+" "+dir] && dir != anything && !strings.Contains(collector+" "+finished+" "+profiles+" "+mac, dir) {
				t.Errorf("nothing in %s imports %s: strike it off its layer", l.dir, dir)
			}
		}
	}
}

// What a layer may not import is told from what it may.
func TestLayersForbid(t *testing.T) {
	for of, other := range map[string]string{
		"analyzer/copies": "analyzer/path", "analyzer/usage": "analyzer/course", "analyzer": "tracer",
		"trace": "trace/tracefile", "report/text": "report/page", "convert/procmon": "convert/strace", "baseline": "tracer",
		"tracer/ebpf": "tracer/dtrace", "analyzer/whatif/drive": "analyzer/whatif", "internal/unit": "analyzer/profile",
	} {
		if p := permission(layerOf(of), other); p != "" {
			t.Errorf("%s may import %s by %q", of, other, p)
		}
	}
}

// layerOf is the row of a package.
func layerOf(path string) (in *layer) {
	for i := range layers {
		if l := &layers[i]; within(path, l.dir) && (in == nil || len(l.dir) > len(in.dir)) {
			in = l
		}
	}
	return in
}

// permission is what lets a layer import a package, "" if nothing does.
func permission(in *layer, path string) string {
	if path == common {
		return common
	}
	may := strings.Fields(in.may)
	i := slices.IndexFunc(may, func(dir string) bool { return dir == anything || dir == "="+path || within(path, dir) })
	if i < 0 {
		return ""
	}
	return may[i]
}

func within(path, dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") }
