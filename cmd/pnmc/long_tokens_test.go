//go:build unix

package main

import (
	"compress/gzip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/exit"
)

// tokenLimit is the memory in MB within which texts with long tokens are read. Their size is about
// tokenSize. It is less for XML, which takes longer. Of a compressed file no more is read than that limit.
const (
	tokenLimit = 64
	tokenSize  = 60 << 20
	inXML      = 40 << 20
)

// longText writes a compressed file of what stands before a token, the token, which is a word again
// and again, and what stands behind it. It returns the path.
func longText(t *testing.T, name, before, word, behind string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	packed, err := gzip.NewWriterLevel(file, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	size := tokenSize
	if strings.HasSuffix(name, ".pnml") {
		size = inXML
	}
	if _, err := io.Copy(packed, repeated(size, before, word, behind)); err != nil {
		t.Fatal(err)
	}
	if err := packed.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// repeated returns the text of such a file.
func repeated(size int, before, word, behind string) io.Reader {
	part := strings.Repeat(word, 1<<20/len(word))
	list := []io.Reader{strings.NewReader(before)}
	for ; size > 0; size -= len(part) {
		list = append(list, strings.NewReader(part))
	}
	return io.MultiReader(append(list, strings.NewReader(behind))...)
}

// Texts of a name in a net, and of an automaton, around the place for what is long.
const (
	namedTo  = netHead + `<place id="p"><name><text>`
	nameTail = `</text></name></place>` + netTail
	hoaTail  = "\nStates: 1\nStart: 0\nAcceptance: 0 t\n--BODY--\nState: 0\n[t] 0\n--END--\n"
	dotHead  = "digraph G {\n  0 [label=\"\", style=invis, height=0]\n  0 -> 1\n  1 [label=\""
)

// limited returns a command with limits, which stand before an argument without a flag.
func limited(arguments []string) []string {
	limits := []string{"--timeout", "10s", "--max-memory", "64MB"}
	if strings.HasPrefix(arguments[0], "-") {
		return append(limits, arguments...)
	}
	return append(append(arguments[:1:1], limits...), arguments[1:]...)
}

// refusesWithin checks that a command has no more memory than its limit, that it says in few words what is
// wrong with the file, and that it ends with the exit code of that.
func refusesWithin(t *testing.T, name, path string, command *exec.Cmd) {
	t.Helper()
	code, messages := keepsTo(t, name, tokenLimit, command)
	if code != exit.Unknown && code != exit.Input || !strings.Contains(messages, path) || len(messages) > 2000 {
		t.Errorf("%s: exit code %d, %.300s", name, code, messages)
	}
}

// TestPeaksOfLongTokens: a text with one token that takes nearly all of the memory, or of many short
// things that come to as much, is read within the limit, or refused in few words and with the exit
// code of a verdict that is unknown, or of bad input.
func TestPeaksOfLongTokens(t *testing.T) {
	if testing.Short() {
		t.Skip("many processes that read much")
	}
	net, automata := "../../testdata/philosophers.pnml", "../../testdata/recurrence.hoa"
	out := filepath.Join(t.TempDir(), "out")
	states := []string{"states", "--pnml", "FILE"}
	check := []string{"--pnml", net, "--hoa", "FILE"}
	drawing := []string{"--pnml", net, "--tgta", "FILE"}
	type commands = [][]string
	for name, c := range map[string]struct {
		before, word, behind string
		commands             commands
	}{
		"place.pnml": {namedTo, "x", nameTail, commands{states, {"view", "-o", out, "--deadlock", "FILE"}, {"unfold", "--pnml", "FILE"},
			{"--deadlock", "--pnml", "FILE"}, {"convert", "--to", "dot", "--pnml", "FILE"}, {"reduce", "--for", "deadlock", "--pnml", "FILE"},
			{"play", "FILE"}}},
		"comment.pnml":     {netHead + "<!--", " ", "-->" + netTail, commands{states}},
		"id.pnml":          {netHead + `<place id="`, "x", `"/>` + netTail, commands{states}},
		"blanks.pnml":      {netHead, " ", netTail, commands{states}},
		"junk.pnml":        {"", "x", "", commands{states}},
		"tag.pnml":         {netHead + "<", "x", "/>" + netTail, commands{states}},
		"attributes.pnml":  {netHead + "<place ", ` a=""`, "/>" + netTail, commands{states}},
		"instruction.pnml": {netHead + "<?a ", "x", "?>" + netTail, commands{states}},
		"quoted.pnml":      {namedTo + "<![CDATA[", "x", "]]>" + nameTail, commands{states}},
		"latin.pnml":       {`<?xml version="1.0" encoding="ISO-8859-1"?>` + namedTo, "x", nameTail, commands{states}},
		"elements.pnml":    {netHead + `<place id="p">`, "<a/>", "</place>" + netTail, commands{states}},
		"name.hoa": {`HOA: v1 AP: 0 name: "`, "x", `"` + hoaTail, commands{check, {"convert", "--hoa", "FILE"}, {"intersect", "FILE", automata},
			{"include", automata, "FILE"}, {"equivalent", "FILE", automata}}},
		"names.hoa":       {`HOA: v1 AP: 0 name: "x" foo:`, ` "` + strings.Repeat("x", 1<<19) + `"`, hoaTail, commands{check}},
		"proposition.hoa": {`HOA: v1 AP: 1 "`, "x", `"` + hoaTail, commands{check}},
		"header.hoa":      {`HOA: v1 AP: 0 foo: "`, "x", `"` + hoaTail, commands{check}},
		"junk.hoa":        {"", "x", "", commands{check}},
		"label.hoa":       {"HOA: v1 States: 1 Start: 0 AP: 0 Acceptance: 0 t --BODY-- State: 0 [", "t&", "t] 0 --END--\n", commands{check}},
		"label.dot":       {dotHead, "x", "\"]\n}\n", commands{drawing}},
		"words.dot":       {dotHead, "x ", "\"]\n}\n", commands{drawing}},
	} {
		path := longText(t, name, c.before, c.word, c.behind)
		for _, arguments := range c.commands {
			refusesWithin(t, name+", "+arguments[0], path, program(t, limited(on(path, arguments))...))
		}
	}
	if info, err := os.Stat("/dev/zero"); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		for _, arguments := range [][]string{states, check, drawing} {
			refusesWithin(t, "zeros, "+arguments[0], "/dev/zero", program(t, limited(on("/dev/zero", arguments))...))
		}
	}
}

// TestPeakOfALongTokenInAContest: the same holds for models of the contest.
func TestPeakOfALongTokenInAContest(t *testing.T) {
	if testing.Short() {
		t.Skip("reads much")
	}
	folder := contestFolder(t)
	model := filepath.Join(folder, "model.pnml")
	packed := longText(t, "model.pnml", namedTo, "x", nameTail)
	if err := os.Remove(model); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(packed, model+".gz"); err != nil {
		t.Fatal(err)
	}
	refusesWithin(t, "mcc", model, program(t, "mcc", "--memory", "64", "--time", "30", "--examination", "StateSpace", folder))
}

// TestPeakOfLongStandardInput: the same holds for standard input, which is kept to be read twice.
func TestPeakOfLongStandardInput(t *testing.T) {
	if testing.Short() {
		t.Skip("reads much")
	}
	command := program(t, limited([]string{"--pnml", "-", "--deadlock", "--trace", filepath.Join(t.TempDir(), "page.html")})...)
	command.Stdin = repeated(80<<20, netHead, "<!-- -->", netTail)
	refusesWithin(t, "standard input", "<stdin>", command)
}
