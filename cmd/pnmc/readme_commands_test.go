package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/exit"
)

// readmeFiles are those of which the README's commands speak: a net with the places p1, p2 and
// the transition t3, the same with colours, and what is asked of them. The others are made by
// the commands of readmePreparation.
var readmeFiles = map[string]string{
	"net.pnml": `<pnml><net id="net" type="ptnet"><page id="g">
<place id="p1"><initialMarking><text>2</text></initialMarking></place><place id="p2"/>
<transition id="t1"/><transition id="t3"/>
<arc id="a" source="p1" target="t1"/><arc id="b" source="t1" target="p2"/>
<arc id="c" source="p2" target="t3"/><arc id="d" source="t3" target="p1"/></page></net></pnml>`,
	"props.ltl": "again: G F \"p1>=2\"\nfew: G \"p1 + p2 <= 2\"\n",
	"names.txt": "p0: p1 >= 2\n",
	"CTLFireability.xml": `<property-set xmlns="http://mcc.lip6.fr/"><property><id>net-CTLFireability-00</id><formula>
<all-paths><globally><exists-path><finally><is-fireable><transition>t3</transition></is-fireable></finally></exists-path></globally></all-paths>
</formula></property></property-set>`,
}

const readmePreparation = `pnmc translate '!(G F "p1>=2")' > prop.hoa
pnmc translate '!(G F p0)' > opaque.hoa
pnmc translate '!(G F "p1>=2")' --to tgta --format dot > drawing.dot
sed 's/"p1"/"x"/g' net.pnml > x.pnml && pnmc convert --pnml x.pnml --to etf -o model.etf
cp cmd/pnmc/testdata/token.pnml coloured.pnml
mkdir folder models models/net && cp net.pnml folder/model.pnml && cp net.pnml models/net/model.pnml
cp CTLFireability.xml folder && cp CTLFireability.xml models/net
pnmc --pnml net.pnml --ltl 'G F "p1>=2"' --trace runs.json || true
`

// TestReadmeCommands runs the commands of the README's second block, in a folder with files of
// these names: each decides something, without complaint, and writes the files that it names.
func TestReadmeCommands(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for a shell")
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, found := strings.Cut(string(readme), "## What else it does\n\n```\n")
	text, _, ended := strings.Cut(text, "```\n")
	if !found || !ended || strings.Count(text, "\n") < 30 {
		t.Fatal("the block of commands is not found")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := likeSource(root, folder); err != nil {
		t.Fatal(err)
	}
	for name, content := range readmeFiles {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", standIns(t, root)+string(os.PathListSeparator)+os.Getenv("PATH"))
	shell := func(command string) (int, string) {
		c := exec.Command("sh", "-c", command)
		c.Dir = folder
		text, err := c.CombinedOutput()
		if c.ProcessState == nil {
			t.Fatal(err)
		}
		return c.ProcessState.ExitCode(), string(text)
	}
	if code, text := shell("set -e\n" + readmePreparation); code != 0 {
		t.Fatalf("exit code %d\n%s", code, text)
	}
	complaint := regexp.MustCompile(`(?m)^pnmc: |CANNOT_COMPUTE`)
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "pnmc play ") { // needs a terminal: TestReadmePlay
			continue
		}
		if solver := regexp.MustCompile(` --smt-solver ([^ ]+)`).FindStringSubmatch(line); solver != nil {
			if _, err := exec.LookPath(solver[1]); err != nil {
				t.Logf("%s is not installed, so this is not run: %s", solver[1], line)
				continue
			}
		}
		code, got := shell(line)
		if code > exit.Violated || complaint.MatchString(got) {
			t.Errorf("%s\nexit code %d\n%s", line, code, got)
		}
		for _, flag := range []string{"-o", "--trace", "--out", "--plots"} {
			if written := regexp.MustCompile(` ` + flag + ` ([^ ]+)`).FindStringSubmatch(line); written != nil {
				if info, err := os.Stat(filepath.Join(folder, written[1])); err != nil || info.Size() == 0 {
					t.Errorf("%s\nleaves no %s: %v", line, written[1], fmt.Sprint(err))
				}
			}
		}
	}
}
