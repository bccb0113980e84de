package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// togglesFile is a net of n independent transitions, all enabled at first.
func togglesFile(t *testing.T, n int) string {
	t.Helper()
	var text strings.Builder
	text.WriteString(`<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">`)
	for i := range n {
		fmt.Fprintf(&text, `<place id="off%d"><initialMarking><text>1</text></initialMarking></place><place id="on%d"/><transition id="u%d"/>`+
			`<arc id="a%d" source="off%d" target="u%d"/><arc id="b%d" source="u%d" target="on%d"/>`, i, i, i, i, i, i, i, i, i)
	}
	text.WriteString("</page></net></pnml>")
	file := filepath.Join(t.TempDir(), "toggles.pnml")
	if err := os.WriteFile(file, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// After a property that fills the memory, the next one of the stream finds room.
func TestNextPropertyFindsRoom(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	properties := filepath.Join(t.TempDir(), "properties.ltl")
	if err := os.WriteFile(properties, []byte("hard: F \"on5 >= 1\" && G F \"on7>=1\"\neasy: G \"on3 <= 0\"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(self, "--pnml", togglesFile(t, 1500), "--ltl-file", properties, "--max-memory", "100MB", "--approach", "tgba")
	command.Env = append(os.Environ(), asTranslator+"=program")
	var out, told bytes.Buffer
	command.Stdout, command.Stderr = &out, &told
	_ = command.Run() // the exit code is that of a violated property
	for _, want := range []string{"FORMULA hard CANNOT_COMPUTE", "FORMULA easy FALSE"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s%s", want, &out, &told)
		}
	}
	if !strings.Contains(told.String(), "memory limit of 100 MB reached") {
		t.Errorf("memory was not filled:\n%s", &told)
	}
}
