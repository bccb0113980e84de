package hoa

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"pnmc/automata"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// transcript reads a stream and tells all that comes out of it: automata as
// the writer prints them, warnings and errors.
func transcript(input io.Reader) string {
	var b strings.Builder
	for r := NewReader(input, ""); ; {
		a, err := r.Read()
		for _, w := range r.Warnings() {
			fmt.Fprintf(&b, "warning: %v\n", w)
		}
		var aborted *AbortedError
		var garbage *GarbageError
		switch {
		case errors.Is(err, io.EOF):
			return b.String()
		case errors.As(err, &aborted):
			fmt.Fprintf(&b, "aborted: %v\n", err)
		case errors.As(err, &garbage):
			fmt.Fprintf(&b, "garbage: %v\n", err)
		case err != nil:
			fmt.Fprintf(&b, "error: %v\n", err)
		default:
			Write(context.Background(), &b, a, Options{})
		}
	}
}

// TestTranscripts compares what each file of testdata gives with a golden file;
// the comments in the files say what they show.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.hoa")
	if err != nil || len(files) == 0 {
		t.Fatal("no testdata", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			input, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := transcript(bytes.NewReader(input))
			golden := strings.TrimSuffix(file, ".hoa") + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			for name, slow := range map[string]io.Reader{
				"one byte at a time":   iotest.OneByteReader(bytes.NewReader(input)),
				"end with last data":   iotest.DataErrReader(bytes.NewReader(input)),
				"half of what is left": iotest.HalfReader(bytes.NewReader(input)),
			} {
				if again := transcript(slow); again != got {
					t.Errorf("%s: got\n%s\nwant\n%s", name, again, got)
				}
			}
		})
	}
}

// TestErrors gives what is wrong with an automaton, which stands between the
// headers that all share and one that is fine and must still be read.
func TestErrors(t *testing.T) {
	const head = "HOA: v1\nAP: 2 \"a\" \"b\"\nAcceptance: 1 Inf(0)\n" // lines 1 to 3
	for _, c := range []struct{ text, want string }{
		{"--BODY-- State: 0 [2] 0 --END--", `4:20: proposition 2, but the automaton has 2`},
		{"--BODY-- State: 0 [0&] 0 --END--", `4:22: in a label: expected a proposition's number, an alias, 't', 'f', '!' or '('`},
		{"--BODY-- State: 0 [0 1] 0 --END--", `4:22: in a label: expected '&', '|' or ']'`},
		{"--BODY-- State: 0 [(0] 0 --END--", `4:22: in a label: expected ')'`},
		{"--BODY-- State: 0 [x] 0 --END--", `4:20: unexpected 'x' in a label`},
		{"--BODY-- State: 0 [@x] 0 --END--", `4:20: unknown alias @x`},
		{"--BODY-- State: 0 [0 0 --END--", `4:19: label without closing ']'`},
		{"--BODY-- State: 0 [0#] 0 --END--", `4:21: in a label: unexpected character '#'`},
		{"--BODY-- State: 0 [t] 0 {1} --END--", `4:26: acceptance set 1, but Acceptance: announces 1`},
		{"--BODY-- State: 0 [t] 0 {a} --END--", `4:26: expected the number of an acceptance set or '}', found 'a'`},
		{"--BODY-- State: 0 [t] 0&1 State: 1 --END--", `4:24: universal branching is not supported: an edge to a conjunction of states`},
		{"Start: 0&1 --BODY-- State: 0 State: 1 --END--", `4:1: universal branching is not supported: a conjunction of initial states`},
		{"--BODY-- State: 0 [t] 1 --END--", `4:25: the body ends without a definition of state 1, which is an initial state or where an edge leads`},
		{"Start: 3 --BODY-- --END--", `4:19: the body ends without a definition of state 3, which is an initial state or where an edge leads`},
		{"--BODY-- State: 0 State: 0 --END--", `4:26: a second definition of state 0`},
		{"States: 1 --BODY-- State: 1 --END--", `4:27: state 1, but States: announces 1`},
		{"States: 1 --BODY-- State: 0 [t] 1 --END--", `4:33: state 1, but States: announces 1`},
		{"States: 1 Start: 1 --BODY-- State: 0 --END--", `4:11: initial state 1, but States: announces 1`},
		{"States: 2147483647 --BODY-- --END--", `4:29: 2147483647 states of which only 0 are defined`},
		{"--BODY-- State: 2147483646 --END--", `4:28: 2147483647 states of which only 1 are defined`},
		{"States: 2147483648 --BODY-- --END--", `4:9: integer above 2147483647`},
		{"States: 01 --BODY-- --END--", `4:9: integer with a leading zero`},
		{"States: x --BODY-- --END--", `4:9: header States: unexpected token "x" (expected an integer)`},
		{"States: 1 States: 2 --BODY-- --END--", `4:11: a second header States:, the first one being at 4:1`},
		{"AP: 0 --BODY-- --END--", `4:1: a second header AP:, the first one being at 2:1`},
		{"Acceptance: 0 t --BODY-- --END--", `4:1: a second header Acceptance:, the first one being at 3:1`},
		{"Alias: @a 0 Alias: @a 1 --BODY-- --END--", `4:13: a second definition of alias @a, the first one being at 4:1`},
		{"Alias: @a 2 --BODY-- --END--", `4:11: proposition 2, but the automaton has 2`},
		{"Alias: @a !@b --BODY-- --END--", `4:11: unknown alias @b`},
		{"Fancy: 1 \"x\" (3) --BODY-- --END--", `4:1: unknown header Fancy:, whose capital letter says that it must not be ignored`},
		{"Testing: sometimes --BODY-- --END--", `4:1: header Testing: sometimes, expected tgta or ta`},
		{"properties: state-acc\n--BODY-- State: 0 [t] 0 {0} --END--", `5:25: an edge has acceptance sets of its own, despite property state-acc at 4:13`},
		{"properties: trans-acc\n--BODY-- State: 0 {0} [t] 0 --END--", `5:19: a state has acceptance sets, despite property trans-acc at 4:13`},
		{"properties: state-labels\n--BODY-- State: 0 [t] 0 --END--", `5:19: an edge has a label, despite property state-labels at 4:13`},
		{"properties: trans-labels\n--BODY-- State: [t] 0 0 --END--", `5:17: a state has a label, despite property trans-labels at 4:13`},
		{"properties: explicit-labels\n--BODY-- State: 0 0 0 0 0 --END--", `5:19: the labels of a state's edges are implicit, despite property explicit-labels at 4:13`},
		{"properties: implicit-labels\n--BODY-- State: 0 [t] 0 --END--", `5:19: an edge has a label, despite property implicit-labels at 4:13`},
		{"properties: colored\n--BODY-- State: 0 [t] 0 --END--", `5:19: an edge is not in exactly one acceptance set, despite property colored at 4:13`},
		{"properties: complete !complete\n--BODY-- --END--", `4:22: property !complete contradicts complete at 4:13`},
		{"properties: univ-branch\n--BODY-- --END--", `4:13: property univ-branch is of automata with universal branching, which are not supported`},
		{"properties: deterministic\nproperties: !unambiguous --BODY-- --END--", `5:13: property !unambiguous contradicts deterministic at 4:13`},
		{"properties: state-acc trans-acc --BODY-- --END--", `4:23: property trans-acc contradicts state-acc at 4:13`},
		{"properties: deterministic --BODY-- State: 0 [0] 0 [1] 0 --END--", `4:13: property deterministic is false of the automaton that ends at 4:57`},
		{"Start: 0 Start: 1 properties: deterministic --BODY-- State: 0 State: 1 --END--", `4:31: property deterministic is false of the automaton that ends at 4:72`},
		{"Start: 0 properties: complete --BODY-- State: 0 [0] 0 [1] 0 --END--", `4:22: property complete is false of the automaton that ends at 4:61`},
		{"properties: complete --BODY-- --END--", `4:13: property complete is false of the automaton that ends at 4:31`},
		{"properties: !deterministic --BODY-- --END--", `4:13: property !deterministic is false of the automaton that ends at 4:37`},
		{"properties: exist-branch --BODY-- --END--", `4:13: property exist-branch is false of the automaton that ends at 4:35`},
		{"--BODY-- State: 0 0 0 0 --END--", `4:10: state 0 has 3 edges, but implicit labels of 2 propositions need 4`},
		{"--BODY-- State: 0 0 0 0 0 0 --END--", `4:27: edge 5 of state 0, whose implicit labels are of 2 propositions and make it have 4 edges`},
		{"--BODY-- State: 0 [t] 0 0 --END--", `4:25: some edges of state 0 have a label and others have none`},
		{"--BODY-- State: [0] 0 [1] 0 --END--", `4:23: this edge has a label, and so has its state`},
		{"--BODY-- Stat: 0 --END--", `4:10: expected 'State:' or --END--, found 'Stat:'`},
		{"--BODY-- State: x --END--", `4:17: expected the number of a state, found 'x'`},
		{"--BODY-- State: 0 [t] --END--", `4:23: expected the number of a state, found '--END--'`},
		{"--BODY-- State: 0 [t] 0 # --END--", `4:25: expected 'State:' or --END--, found unexpected character '#'`},
		{"--END--", `4:1: expected another header or --BODY--, found '--END--'`},
		{"--BODY-- State: 0 --FIN-- --END--", "4:19: expected 'State:' or --END--, found a mark that is none of --BODY--, --END-- and --ABORT--"},
		{"--BODY-- State: 0 [0 --ABORT--", "aborted"},
		{"--BODY-- State: " + strings.Repeat("x", 100), `4:17: expected the number of a state, found '` + strings.Repeat("x", 40) + `…'`},
		{"--BODY-- State: \"" + strings.Repeat("x", 100) + `"`, `4:17: expected the number of a state, found "` + strings.Repeat("x", 39) + `…"`},
		{"--BODY-- State: \"x\"", `4:17: expected the number of a state, found "x"`},
		{"properties: univ-branch no-univ-branch --BODY-- --END--", `4:13: property univ-branch is of automata with universal branching, which are not supported
4:25: property !univ-branch contradicts univ-branch at 4:13`},
		{"properties: no-univ-branch univ-branch --BODY-- --END--", `4:28: property univ-branch is of automata with universal branching, which are not supported
4:28: property univ-branch contradicts !univ-branch at 4:13`},
		{"properties: terminal !weak very-weak !inherently-weak --BODY-- --END--", `4:22: property !weak contradicts terminal at 4:13
4:38: property !inherently-weak contradicts terminal at 4:13
4:22: property !weak contradicts very-weak at 4:28
4:38: property !inherently-weak contradicts very-weak at 4:28`},
		{"--ABORT--", "aborted"},
		{"--BODY-- State: 0", "5:1: expected 'State:' or --END--, found 'HOA:'"},
		{"Start: 0", "5:1: expected another header or --BODY--, found 'HOA:'"},
	} {
		r := NewReader(strings.NewReader(head+c.text+"\nHOA: v1\nname: \"next\" Acceptance: 0 t --BODY-- --END--"), "")
		r.BeStrict()
		a, err := r.Read()
		var aborted *AbortedError
		switch {
		case errors.As(err, &aborted) && c.want == "aborted":
		case err == nil || err.Error() != c.want:
			t.Errorf("%s:\n got %v\nwant %s", c.text, err, c.want)
		case a != nil:
			t.Errorf("%s: an automaton and an error", c.text)
		}
		if a, err := r.Read(); err != nil || a.Name != "next" {
			t.Errorf("%s: then %v, %v", c.text, a, err)
		}
		if _, err := r.Read(); !errors.Is(err, io.EOF) {
			t.Errorf("%s: in the end %v", c.text, err)
		}
	}
}

// TestErrorsOfTheStream checks errors that leave nothing to go on with.
func TestErrorsOfTheStream(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"HOA: v2 Acceptance: 0 t --BODY-- --END--", "error: 1:1: version v2 of the format, expected v1 or v1.1\n"},
		{"HOA: v10 Acceptance: 0 t --BODY-- --END--", "error: 1:1: version v10 of the format, expected v1 or v1.1\n"},
		{"HOA: v1 --BODY-- --END--", "error: 1:1: the header Acceptance: is missing\n"},
		{"HOA: v1 Acceptance: 1 Inf(1) --BODY-- --END--", "error: 1:23: acceptance set 1, but Acceptance: announces 1\n"},
		{"HOA: v1 Acceptance: 1 Foo(0) --BODY-- --END--", "error: 1:23: header Acceptance: unexpected token \"Foo\" (expected an acceptance condition)\n"},
		{"HOA: v1 Acceptance: 1 Inf(0 --BODY-- --END--", "error: 1:29: header Acceptance: it ends too early (expected \")\")\n"},
		{"HOA: v1 AP: 1 \"a\" \"b\" Acceptance: 0 t --BODY-- --END--", "error: 1:9: AP: announces 1 propositions, and 2 follow\n"},
		{"HOA: v1 name: \"x", "error: 1:15: string without closing '\"'\n1:17: expected another header or --BODY--, found the end of the file\n"},
		{"/* /* */", "garbage: 1:1: comment without closing '*/'\n"},
		{"garbage", "garbage: 1:1: expected an automaton that begins with 'HOA:', found 'garbage'\n"},
		{"HOA: v1 Acceptance: 2000000000 t --BODY-- --END--", "error: 1:9: 2000000000 acceptance sets, more than 1048576\n"},
		{"HOA: v1 Acceptance: 0 t --BODY-- State: 0", "error: 1:42: expected 'State:' or --END--, found the end of the file\n"},
		{"HOA: v1 Testing: tgta Start: 0 Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--", "error: 1:72: a testing automaton's initial state 0 is entered by an edge of state 0\n"},
		{"HOA: v1 AP: 1 \"a\" Testing: ta Start: 0 Acceptance: 3 Inf(0)|Fin(2)&Inf(1) --BODY-- State: 0 [t] 1 State: 1 [!0] 1 [!0] 1 {1} --END--", "error: 1:126: state 1 of a testing automaton with livelock acceptance has two loops for the empty changeset\n"},
		{"HOA: v1 AP: 1 \"a\" Testing: ta Start: 0 Acceptance: 3 Inf(0)|Fin(2)&Inf(1) --BODY-- State: 0 [t] 1 State: 1 [!0] 1 [t] 2 {2} State: 2 [t] 2 --END--", "error: 1:140: state 1 of a testing automaton with livelock acceptance has an edge for the empty changeset to state 2\n"},
		{"HOA: v1 AP: 1 \"a\" Testing: ta Start: 0 Acceptance: 3 Inf(0)|Fin(2)&Inf(1) --BODY-- State: 0 [t] 1 State: 1 [!0] 1 {0} --END--", "error: 1:119: the loop for the empty changeset of state 1 is in another acceptance set than 1, that of livelocks\n"},
		{"HOA: v1 AP: 1 \"a\" Testing: ta Start: 0 Acceptance: 3 Inf(0)|Fin(2)&Inf(1) --BODY-- State: 0 [t] 1 State: 1 [!0] 1 {2} --END--", "error: 1:119: the loop for the empty changeset of state 1 is in another acceptance set than 1, that of livelocks\n"},
		{"HOA: v1 AP: 1 \"a\" Testing: ta Start: 0 Acceptance: 3 Inf(0)|Fin(2)&Inf(1) --BODY-- State: 0 [t] 1 State: 1 [!0] 1 [0] 1 {0} --END--", "error: 1:125: an edge of state 1 with a change is not in acceptance set 2, that of changes\n"},
		{"HOA: v1 AP: 1 \"a\" Testing: ta Start: 0 Acceptance: 3 Inf(0)|Fin(2)&Inf(1) --BODY-- State: 0 [t] 1 State: 1 [!0] 1 [0] 1 {1 2} --END--", "error: 1:127: an edge of state 1 with a change is in acceptance set 1, that of livelocks\n"},
		{"HOA: v1 AP: 1 \"a\" Testing: ta Start: 0 Acceptance: 0 t --BODY-- State: 0 [t] 1 State: 1 [0] 1 --END--", "error: 1:95: state 1 of a testing automaton with livelock acceptance has no loop for the empty changeset\n"},
		{"HOA: v1 Acceptance: 0 " + strings.Repeat("(", 100_000) + "--BODY-- --END--", "error: 1:4023: parentheses nested deeper than 4000\n"},
		{"HOA: v1 AP: 1 \"a\" Acceptance: 0 t --BODY-- State: 0 [" + strings.Repeat("(", 100_000) + "0] 0 --END--", "error: 1:2055: in a label: parentheses nested deeper than 2000\n"},
		{"HOA: v1 Acceptance: 0 t /* --BODY-- --END--", "error: 1:25: expected another header or --BODY--, found a comment without closing '*/'\n"},
		{"HOA: v1 Acceptance: 0 t --BODY-- State: 0 /* --END--", "error: 1:43: expected 'State:' or --END--, found a comment without closing '*/'\n"},
		{"HOA: v1 Acceptance: 0 t --BODY-- State: 0 [t /* --END--", "error: 1:43: label without closing ']'\n1:46: comment without closing '*/'\n"},
		{"HOA: v1 Alphabet: 2 \"a\" \"b\" Acceptance: 0 t --BODY-- --END--", "error: 1:9: alphabets are not supported: header Alphabet: of version 1.1, expected AP:, as labels are over propositions\n"},
		{"\xef\xbb\xbfgarbage", "garbage: 1:4: expected an automaton that begins with 'HOA:', found 'garbage'\n"},
		{" \xef\xbb\xbfHOA:", "garbage: 1:2: expected an automaton that begins with 'HOA:', found '\xef'\nerror: 1:9: header HOA: it ends too early (expected an identifier)\n1:9: expected another header or --BODY--, found the end of the file\n"},
		{"\xef\xbb\xbf", ""},
		{"garbage /* and a comment", "garbage: 1:1: expected an automaton that begins with 'HOA:', found 'garbage'\ngarbage: 1:9: comment without closing '*/'\n"},
		{"", ""},
		{" /* nothing */ \n", ""},
	} {
		if got := transcript(strings.NewReader(c.text)); got != c.want {
			t.Errorf("%.60s:\n got %swant %s", c.text, got, c.want)
		}
	}
}

// TestRepeatedHeaders has the same headers in several automata: their places must
// be those of each automaton.
func TestRepeatedHeaders(t *testing.T) {
	const head = "HOA: v1 AP: 3\n \"a\" \"b\"\n \"a\" Acceptance: 0 t properties: foo\n  complete "
	const end = "--BODY-- State: 0 --END--\n"
	text := head + end + " " + head + end + "  " + head + "Start: 0 " + end
	want := ""
	for i, line := range []int{1, 5, 9} {
		want += fmt.Sprintf("warning: %d:2: proposition \"a\" occurs twice; both are taken as one\n", line+2)
		want += fmt.Sprintf("warning: %d:3: property complete is false of the automaton that ends at %d:%d, and is ignored\n", line+3, line+3, 30+9*(i/2))
	}
	got := ""
	for line := range strings.Lines(transcript(strings.NewReader(text))) {
		if strings.HasPrefix(line, "warning:") {
			got += line
		}
	}
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	aliases := "HOA: v1 AP: 1 \"a\" Acceptance: 1 Fin(0) & Inf(2) Alias: @a\n (0 & 1) --BODY-- --END--\n"
	const errors = "error: %d:%d: acceptance set 2, but Acceptance: announces 1\n%d:7: proposition 1, but the automaton has 1\n"
	want = fmt.Sprintf(errors, 1, 42, 2) + fmt.Sprintf(errors, 3, 43, 4)
	if got := transcript(strings.NewReader(aliases + " " + aliases)); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestReadErrorIsPassedOn(t *testing.T) {
	broken := errors.New("broken pipe")
	text := "HOA: v1 Acceptance: 0 t --BODY-- --END-- HOA: v1 Acceptance: 0 t --BODY-- State:"
	r := NewReader(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)), "f")
	if _, err := r.Read(); err != nil {
		t.Error(err)
	}
	for range 2 {
		if _, err := r.Read(); !errors.Is(err, broken) {
			t.Errorf("got %v", err)
		}
	}
}

// TestPipe checks that an automaton is delivered before the next one is there.
func TestPipe(t *testing.T) {
	in, out := io.Pipe()
	r := NewReader(in, "")
	for range 3 {
		sent := make(chan error)
		go func() {
			_, err := io.WriteString(out, "HOA: v1 Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--")
			sent <- err
		}()
		if a, err := r.Read(); err != nil || a.States() != 1 {
			t.Fatal(a, err)
		}
		if err := <-sent; err != nil {
			t.Fatal(err)
		}
	}
	out.Close()
	if _, err := r.Read(); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
}

func TestDiagnosticsAreBounded(t *testing.T) {
	text := "HOA: v1 Acceptance: 0 t --BODY-- " + strings.Repeat("State: 0 \n", 1000) + "--END--"
	_, err := NewReader(strings.NewReader(text), "many.hoa").Read()
	var failure *AutomatonError
	if !errors.As(err, &failure) || len(failure.Diagnostics) != 50 || failure.Omitted != 949 {
		t.Fatalf("%v", err)
	}
	if !strings.HasPrefix(err.Error(), "many.hoa:2:8: a second definition of state 0\n") ||
		!strings.HasSuffix(err.Error(), "\nand 949 more errors in this automaton") {
		t.Error(err)
	}
}

// TestPropositionPosition has two automata, the second after a byte order mark's
// worth of other text, and a name that occurs twice.
func TestPropositionPosition(t *testing.T) {
	const text = "\xef\xbb\xbfHOA: v1 AP: 1 \"a\" Acceptance: 0 t --BODY-- --END--\nHOA: v1 AP: 3 \"a\"\n\"a\" \"b\" Acceptance: 0 t --BODY-- --END--"
	r := NewReader(strings.NewReader(text), "")
	for _, want := range [][]Position{{{1, 18}, {}}, {{2, 15}, {3, 5}, {}}} {
		if _, err := r.Read(); err != nil {
			t.Fatal(err)
		}
		for i, p := range want {
			if got := r.PropositionPosition(i); got != p {
				t.Errorf("proposition %d: got %v, want %v", i, got, p)
			}
		}
	}
}

func ExampleReader_Read() {
	const stream = `HOA: v1
Start: 0
AP: 1 "p >= 1"
Acceptance: 1 Inf(0)
--BODY--
State: 0 {0}
[0] 0
[!1] 0
--END--
HOA: v1 name: "G F p" Start: 0 AP: 1 "p >= 1" Acceptance: 1 Inf(0)
--BODY-- State: 0 [0] 0 {0} [!0] 0 --END--`
	for r := NewReader(strings.NewReader(stream), "p.hoa"); ; {
		a, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(a.Name, a.States(), a.Edges(), a.Acceptance.Name, a.Kind == automata.Plain)
	}
	// Output:
	// p.hoa:8:3: proposition 1, but the automaton has 1
	// G F p 1 2 Buchi true
}
