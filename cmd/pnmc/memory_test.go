package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// togglesFile returns a net of n independent transitions, all enabled at first.
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

// TestNextPropertyHasAllMemory: what a property that fills the memory has kept is not in the way
// of one that needs much of it, and has enough by itself.
func TestNextPropertyHasAllMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("a second")
	}
	properties := filepath.Join(t.TempDir(), "properties.ltl")
	write(t, properties, "hard: F \"on5 >= 1\" && G F \"on7>=1\"\nalone: F G \"off3 >= 1\"\n")
	command := program(t, "--pnml", togglesFile(t, 500), "--ltl-file", properties, "--max-memory", "80MB", "--approach", "tgba")
	var out, told bytes.Buffer
	command.Stdout, command.Stderr = &out, &told
	_ = command.Run() // the exit code is that of a violated property
	for _, want := range []string{"FORMULA hard CANNOT_COMPUTE", "FORMULA alone FALSE"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s%s", want, &out, &told)
		}
	}
}

// TestPropertyIsTriedAgainAlone: a property that fills the memory on the graph of the one before is
// tried again on a graph of its own, and has its answer there. The net goes one of two ways first, and
// each property needs the markings of one of them: there is memory for either, not for both.
func TestPropertyIsTriedAgainAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	properties := filepath.Join(t.TempDir(), "properties.ltl")
	write(t, properties, "one: X \"way1 >= 1\" || G \"budget0 <= 2\"\nother: X \"way0 >= 1\" || G \"budget1 <= 2\"\n")
	command := program(t, "--pnml", twoWays(t, 240), "--ltl-file", properties, "--max-memory", "108MB", "--approach", "tgba", "--verbose")
	var out, told bytes.Buffer
	command.Stdout, command.Stderr = &out, &told
	if err := command.Run(); err != nil {
		t.Error(err)
	}
	for _, want := range []string{"FORMULA one TRUE", "FORMULA other TRUE"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s%s", want, &out, &told)
		}
	}
	if again := "other: memory is full: again, on a state graph of its own"; !strings.Contains(told.String(), again) {
		t.Errorf("no %q in\n%s", again, &told)
	}
}

// twoWays returns a net that goes one of two ways at first, on each of which two of n transitions
// fire. Each of them takes tokens, on one way more than on the other, from a place of its own that has
// so many of them that a marking takes more than a kilobyte.
func twoWays(t *testing.T, n int) string {
	t.Helper()
	var text strings.Builder
	text.WriteString(`<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">` +
		`<place id="start"><initialMarking><text>1</text></initialMarking></place>`)
	arcs := 0
	arc := func(from, to, weight string) {
		fmt.Fprintf(&text, `<arc id="arc%d" source="%s" target="%s"><inscription><text>%s</text></inscription></arc>`, arcs, from, to, weight)
		arcs++
	}
	for i := range n {
		fmt.Fprintf(&text, `<place id="off%d"><initialMarking><text>1</text></initialMarking></place><place id="on%d"/>`, i, i)
		fmt.Fprintf(&text, `<place id="many%d"><initialMarking><text>%d</text></initialMarking></place>`, i, int64(1)<<60)
	}
	for i, way := range []string{"0", "1"} {
		taken := fmt.Sprint(1 + i)
		fmt.Fprintf(&text, `<place id="way%s"/><place id="budget%s"/><transition id="go%s"/>`, way, way, way)
		arc("start", "go"+way, "1")
		arc("go"+way, "way"+way, "1")
		arc("go"+way, "budget"+way, "2")
		for i := range n {
			transition := fmt.Sprintf("t%dw%s", i, way)
			fmt.Fprintf(&text, `<transition id="%s"/>`, transition)
			arc("budget"+way, transition, "1")
			arc(fmt.Sprint("off", i), transition, "1")
			arc(transition, fmt.Sprint("on", i), "1")
			arc(fmt.Sprint("many", i), transition, taken)
		}
	}
	text.WriteString("</page></net></pnml>")
	file := filepath.Join(t.TempDir(), "ways.pnml")
	if err := os.WriteFile(file, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// manyEdges returns an automaton in HOA of one state with so many edges, in sets or not.
func manyEdges(t *testing.T, edges int) string {
	t.Helper()
	var text strings.Builder
	text.WriteString("HOA: v1\nStates: 1\nStart: 0\nAP: 0\nAcceptance: 2 Inf(0)&Inf(1)\n--BODY--\nState: 0\n")
	for i := range edges {
		fmt.Fprintf(&text, "[t] 0 {%d}\n", i%2)
	}
	text.WriteString("--END--\n")
	file := filepath.Join(t.TempDir(), "edges.hoa")
	if err := os.WriteFile(file, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// manySets returns an automaton in HOA of so many states and 23 sets, whose accepted runs are long.
func manySets(t *testing.T, states int) string {
	t.Helper()
	const sets = 23
	var text strings.Builder
	fmt.Fprintf(&text, "HOA: v1\nStates: %d\nStart: 0\nAP: 0\nAcceptance: %d Inf(0)", states, sets)
	for i := 1; i < sets; i++ {
		fmt.Fprintf(&text, "&Inf(%d)", i)
	}
	text.WriteString("\n--BODY--\n")
	rng := rand.New(rand.NewPCG(1, 2))
	for s := range states {
		fmt.Fprintf(&text, "State: %d\n[t] %d\n[t] %d {%d %d}\n", s, (s+1)%states, rng.IntN(states), rng.IntN(sets), rng.IntN(sets))
	}
	text.WriteString("--END--\n")
	file := filepath.Join(t.TempDir(), "sets.hoa")
	if err := os.WriteFile(file, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// manyCubes returns an automaton in HOA of so many edges, each with a thousand cubes, written in
// four characters.
func manyCubes(t *testing.T, edges int) string {
	t.Helper()
	var text strings.Builder
	text.WriteString("HOA: v1\nStates: 1\nStart: 0\nAP: 12")
	for p := range 12 {
		fmt.Fprintf(&text, " \"p%d\"", p)
	}
	text.WriteString("\nAlias: @a ")
	for cube := range 1000 {
		if cube > 0 {
			text.WriteString(" | ")
		}
		text.WriteString("0")
		for p := range 11 {
			text.WriteString(strings.Repeat("&!", cube>>p&1) + strings.Repeat("&", 1-cube>>p&1) + fmt.Sprint(p+1))
		}
	}
	text.WriteString("\nAcceptance: 0 t\n--BODY--\nState: 0\n" + strings.Repeat("[@a] 0\n", edges) + "--END--\n")
	file := filepath.Join(t.TempDir(), "aliases.hoa")
	if err := os.WriteFile(file, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// largeDomain returns a coloured net with a token of each of so many colours.
func largeDomain(t *testing.T, colours int) string {
	t.Helper()
	text := fmt.Sprintf(`<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/symmetricnet"><declaration><structure><declarations>`+
		`<namedsort id="d" name="d"><finiteintrange start="1" end="%d"/></namedsort></declarations></structure></declaration>`+
		`<page id="g"><place id="p"><type><structure><usersort declaration="d"/></structure></type><hlinitialMarking><structure>`+
		`<all><usersort declaration="d"/></all></structure></hlinitialMarking></place></page></net></pnml>`, colours)
	file := filepath.Join(t.TempDir(), "colours.pnml")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// manyArcs returns a file of a net whose n transitions each take from n places.
func manyArcs(t *testing.T, n int) string {
	t.Helper()
	var text strings.Builder
	text.WriteString(`<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">`)
	for i := range n {
		fmt.Fprintf(&text, `<place id="p%d"/><transition id="t%d"/>`, i, i)
	}
	for i := range n * n {
		fmt.Fprintf(&text, "<arc id=\"a%d\" source=\"p%d\" target=\"t%d\"/>\n", i, i/n, i%n)
	}
	text.WriteString("</page></net></pnml>")
	file := filepath.Join(t.TempDir(), "arcs.pnml")
	if err := os.WriteFile(file, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestPeaks: what the system counts as the process's memory is at no time more than the
// limit, but for what is said of it, whatever is asked.
func TestPeaks(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	many, some := manyEdges(t, 30_000), manyEdges(t, 1_000)
	written, aliases := filepath.Join(t.TempDir(), "written.etf"), manyCubes(t, 10_000)
	for _, c := range []struct {
		limit     int // in MB
		arguments []string
	}{
		{80, []string{"intersect", "--word", many, some}},
		{80, []string{"include", "--word", many, some}},
		{80, []string{"equivalent", some, aliases}},
		{80, []string{"convert", "-o", filepath.Join(t.TempDir(), "aliases.hoa"), "--to", "hoa", "--hoa", aliases}},
		{80, []string{"equivalent", "--word", many, some}},
		{120, []string{"translate", "--to", "tgta", "--ltl", "X((GF a) -> (GF b) -> (GF c) -> (GF d) -> (GF e) -> (GF f) -> (GF g) -> (GF h) -> (GF i) -> (GF j) -> (GF k))"}},
		{200, []string{"translate", "--ltl", "F(" + conjunctions(22) + ")"}}, // the negation of what is wanted has 2²² cubes
		{60, []string{"convert", "--to", "etf", "-o", written, "--pnml", togglesFile(t, 3000)}},
		{80, []string{"convert", "--to", "pnml", "-o", written, "--pnml", largeDomain(t, 1<<20)}},
		{80, []string{"view", "-o", filepath.Join(t.TempDir(), "page.html"), "--deadlock", "--pnml", largeDomain(t, 1<<20)}},
		{80, []string{"states", "--pnml", largeDomain(t, 1<<20)}},
		{80, []string{"states", "--pnml", manyArcs(t, 900)}},
		{100, []string{"states", "--pnml", manyArcs(t, 900)}},
		{45, []string{"--approach=sym-slap", "--pnml", manyArcs(t, 1), "--hoa", manySets(t, 4000)}},
		{60, []string{"translate", "--ltl-file", textFile(t, "words.ltl", "X[", "a ", 5<<20, "\n")}}, // bad, and told so
		{80, []string{"states", "--etf", textFile(t, "fields.etf", "begin state\nx:int\nend state\nbegin ", "- ", 5<<20, "\n")}},
		{80, []string{"states", "--pnml", textFile(t, "units.pnml", unitsHead, "p ", 5<<20, unitsTail)}},
		{80, []string{"states", "--pnml", textFile(t, "classes.pnml", classesHead, "a,0,", 3<<20, classesTail)}},
		{65, []string{"cross", "--formula", "a", "--", `{much}sh -c "echo HOA: v1; yes" %f`}},
	} {
		name := c.arguments[0] + ", " + filepath.Base(c.arguments[len(c.arguments)-1])
		limits := []string{"--timeout", "5s", "--max-memory", fmt.Sprintf("%dMB", c.limit)}
		command := exec.Command(self, append(c.arguments[:1:1], append(limits, c.arguments[1:]...)...)...)
		keepsTo(t, name, c.limit, command) // whether there is an answer in that memory is another question
	}
}

// keepsTo runs pnmc, and reports an error if it had more memory than that limit in MB, and what a process
// may have beyond. It returns the exit code, and the messages.
func keepsTo(t *testing.T, name string, limit int, command *exec.Cmd) (code int, messages string) {
	t.Helper()
	command.Env = append(os.Environ(), asTranslator+"=measured")
	var told bytes.Buffer
	command.Stderr = &told
	code = exitCode(t, command)
	messages = strings.TrimSpace(told.String())
	begin := strings.LastIndexByte(messages, '\n') + 1
	peak, err := strconv.Atoi(messages[begin:])
	if err != nil {
		t.Errorf("%s: %v\n%s", name, err, &told)
	} else if peak > (limit+30)<<20 {
		t.Errorf("%s: %d MB of %d MB", name, peak>>20, limit)
	}
	return code, messages[:begin]
}

// Texts around the place in a net for what is long.
const (
	netHead = `<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">`
	netTail = `</page></net></pnml>`
)

// Files whose lists of short words are long.
const (
	unitsHead   = netHead + `<toolspecific tool="nupn" version="1.1"><structure units="1" root="u"><unit id="u"><places>`
	unitsTail   = `</places><subunits/></unit></structure></toolspecific><place id="p"/>` + netTail
	classesHead = netHead + `<place id="p"><initialMarking><text>`
	classesTail = `a,1</text></initialMarking></place>` + netTail
)

// textFile returns a file with a text whose middle is there n times.
func textFile(t *testing.T, name, head, middle string, n int, tail string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(head+strings.Repeat(middle, n)+tail), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// conjunctions returns a disjunction of n conjunctions of two atoms.
func conjunctions(n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf("(a%d & b%d)", i, i))
	}
	return strings.Join(list, " | ")
}
