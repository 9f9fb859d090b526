package tables

import (
	"bufio"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	diff "github.com/google/go-cmp/cmp"

	"github.com/iotrace/iotrace/internal/testenv"
)

// A bucket answers as the directory does that was uploaded to it, with the command of docs/sql.md.
func TestBucket(t *testing.T) {
	t.Parallel()
	testenv.NeedTools(t, "rclone")
	python := testenv.BucketPython(t, "duckdb", "duckdb_extension_httpfs", "moto.server")
	dir, profiles := exportAll(t)
	want := ask(t, python, dir, "duckdb")
	server := serve(t, python)
	upload(t, dir, server)
	bucket := server + "/traces"
	t.Run("duckdb", func(t *testing.T) {
		found := ask(t, python, bucket, "duckdb-s3")
		compareAnswers(t, found, profiles)
		if d := diff.Diff(want, found); d != "" {
			t.Errorf("-directory +bucket:\n%s", d)
		}
	})
	t.Run("clickhouse", func(t *testing.T) {
		if !*engines {
			t.Skip("only with -engines")
		}
		found := ask(t, testenv.EnginesPython(t, "chdb"), bucket, "clickhouse-s3")
		compareAnswers(t, found, profiles)
		if d := diff.Diff(want, found); d != "" {
			t.Errorf("-directory +bucket:\n%s", d)
		}
	})
}

// serve runs a server for buckets as long as the test runs, and returns its address.
func serve(t *testing.T, python string) string {
	t.Helper()
	c := exec.Command(python, "testdata/bucket.py")
	var said strings.Builder
	c.Stderr = &said
	input, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		input.Close()
		if err := c.Wait(); err != nil {
			t.Errorf("the server of the bucket: %v\n%s", err, said.String())
		}
	})
	address, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		t.Fatalf("the server of the bucket: %v\n%s", err, said.String())
	}
	return strings.TrimSpace(address)
}

var uploading = regexp.MustCompile(`(?m)^rclone .*$`)

// upload copies a directory to a bucket as docs/sql.md says.
func upload(t *testing.T, dir, server string) {
	t.Helper()
	page, err := os.ReadFile("../../docs/sql.md")
	if err != nil {
		t.Fatal(err)
	}
	command := strings.Fields(strings.NewReplacer("SERVER", server, "DIR", dir, "BUCKET", "traces").Replace(
		string(uploading.Find(page))))
	if len(command) == 0 {
		t.Fatal("docs/sql.md does not say how to upload")
	}
	c := exec.Command(command[0], command[1:]...)
	users := func(v string) bool { return strings.HasPrefix(v, "AWS_") || strings.HasPrefix(v, "RCLONE_") }
	c.Env = append(slices.DeleteFunc(os.Environ(), users), "RCLONE_CONFIG=/notfound")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", command, err, out)
	}
}
