//go:build linux

package corpus

import (
	"os"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// TestTitles: a process that has written a title over its arguments is called by that, as servers name their parts. It
// may do so before it is recorded, or meanwhile.
func TestTitles(t *testing.T) {
	needPrivilege(t)
	needPrograms(t, "perl", "python3")
	const title, named = "queue: mover of letters", `$0 = "` + "queue: mover of letters" + `";`
	for name, at := range map[string][2]string{"before": {named, ""}, "meanwhile": {"", named}} {
		t.Run(name, func(t *testing.T) {
			dir := workDir(t)
			run(t, "mkfifo", dir+"/ask", dir+"/answer")
			background(t, dir, `echo $$ > new; mv new pid; exec perl -e '`+at[0]+`open(A, "<", "ask"); open(B, ">", "answer");
while (sysread(A, $x, 1)) { `+at[1]+`select(undef, undef, undef, 0.05); syswrite(B, "y", 1) } sleep 60'`)
			exists(t, dir+"/pid")
			pid, err := os.ReadFile(dir + "/pid")
			if err != nil {
				t.Fatal(err)
			}
			asks := in(dir, python(`a = os.open("ask", os.O_WRONLY)
b = os.open("answer", os.O_RDONLY)
for i in range(30): os.write(a, b"x"); os.read(b, 1)
time.sleep(0.2); os._exit(0)`))
			p := attempt(t, append([]string{"-p", strings.TrimSpace(string(pid)), "--"}, asks...)...)
			said := ""
			for _, line := range p.Verdict.Lines {
				said += line.Text + "\n"
			}
			if !strings.Contains(said, title+" (") {
				t.Errorf("%s\n%+v", said, titled(p))
			}
		})
	}
}

// titled are the titles of processes.
func titled(p *profile.Profile) (list []string) {
	for i := range p.Processes {
		list = append(list, p.Processes[i].Called())
	}
	return list
}
