package etf

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pnmc/logic"
	"pnmc/petri"
	"pnmc/symbolic"
)

func readFile(t testing.TB, path string) *Model {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Read(bytes.NewReader(text), path)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestRead(t *testing.T) {
	got := readFile(t, "testdata/counter.etf")
	want := &Model{
		Variables:  []Typed{{"low", "bit"}, {"high", "bit"}},
		EdgeLabels: []Typed{{"action", "action"}},
		Initial:    []int32{0, -1},
		Groups: []Group{{
			{[]Entry{{0, 0, 1}}, []int32{0}},
			{[]Entry{{0, 1, 0}, {1, -1, 1}}, []int32{1}},
		}},
		Maps: []Map{{Typed{"both", "guard"}, []MapRow{
			{[]Entry{{0, 1, 1}, {1, 1, 1}}, 1}, {[]Entry{{0, 0, 0}}, 0}, {[]Entry{{1, -1, -1}}, 0},
		}}},
		Sorts: []Sort{{"bit", nil}, {"action", []string{"set", `carry "over"`}}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

// TestShiftedValues explores a model with negative values: 0,-1 → 1,-1 → 0,1 →
// 1,1.
func TestShiftedValues(t *testing.T) {
	if got := states(t, readFile(t, "testdata/counter.etf")); got != "4" {
		t.Errorf("%s states, want 4", got)
	}
}

func states(t testing.TB, m *Model) string {
	t.Helper()
	s, err := m.System()
	if err != nil {
		t.Fatal(err)
	}
	space, err := symbolic.ExploreSystem(t.Context(), s, symbolic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return space.States().String()
}

func TestErrors(t *testing.T) {
	const state = "begin state\na:s b:s\nend state\n"
	for _, c := range []struct{ text, want string }{
		{"", `x:1:1: expected a section "state"`},
		{"start", `x:1:1: expected "begin"`},
		{"begin  thing", `x:1:8: expected state, edge, init`},
		{"begin state\na", `x:2:1: expected name:sort, found "a"`},
		{state + "begin state", `x:4:7: expected one section "state" only`},
		{state + "begin trans\n* *\nend trans\nbegin edge", `x:7:7: expected one section "edge"`},
		{"begin state\na:s", `x:2:1: expected "end state" before the end`},
		{"begin state\nend init", `x:2:1: expected "end state"`},
		{"begin state\nab:s\nb:s ab:t", `x:3:5: expected another name than "ab", which a variable before has`},
		{"begin state\na\\.b:s\na.b:s", `x:3:1: expected another name than "a.b"`},
		{"begin state\na:s\\", `x:2:1: expected name:sort, found`},
		{"begin state\n\"a:s\"", `x:2:1: expected name:sort, found`},
		{"begin sort s\\", `x:1:12: expected the name of the sort`},
		{state + "begin init\n0\nend init", `x:6:1: expected a section "init" with 2 values`},
		{state + "begin init\n0 0 0", `x:5:1: expected 2 values, found more`},
		{state + "begin init\n0 q", `x:5:3: expected a number of 32 bits, found "q"`},
		{state + "begin trans\n0/1", `x:5:1: expected 2 entries and 0 values, found 1 fields`},
		{state + "begin trans\n* 0/99999999999", `x:5:3: expected a number of 32 bits`},
		{state + "begin map", `x:4:7: expected the name of the map`},
		{state + "begin map m:s\n0/1 * 1", `x:5:1: expected a value or a star in a map`},
		{state + "begin sort", `x:4:7: expected the name of the sort`},
		{state + "begin sort s\n \"a", `x:5:2: expected a closing quote`},
	} {
		_, err := Read(strings.NewReader(c.text), "x")
		var positioned *Error
		if !errors.As(err, &positioned) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %s", c.text, err, c.want)
		}
	}
}

func roundTrip(t testing.TB, m *Model) *Model {
	t.Helper()
	var text bytes.Buffer
	if err := m.Write(&text); err != nil {
		t.Fatal(err)
	}
	again, err := Read(&text, "written")
	if err != nil {
		t.Fatal(err)
	}
	return again
}

const shared = "../../../shared/etf"

// TestLTSminModels counts the states of models that LTSmin wrote, and reads what
// it writes of them back.
func TestLTSminModels(t *testing.T) {
	table, err := os.Open(filepath.Join(shared, "states.tsv"))
	if err != nil {
		t.Skip("LTSmin's models are not there: ", err)
	}
	defer table.Close()
	for lines := bufio.NewScanner(table); lines.Scan(); {
		var name, count string
		if n, _ := fmt.Sscan(lines.Text(), &name, &count); n != 2 || name == "#" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			m := readFile(t, filepath.Join(shared, name+".etf"))
			if got := states(t, m); got != count {
				t.Errorf("%s states, want %s", got, count)
			}
			if !reflect.DeepEqual(roundTrip(t, m), m) {
				t.Error("written and read again, the model differs")
			}
		})
	}
}

// TestFromStateSpace writes a net with weights as a table, and expects the same
// states and firings of what is read back.
func TestFromStateSpace(t *testing.T) {
	var b petri.Builder
	p, _ := b.AddPlace("p", "", 7)
	q, _ := b.AddPlace("q", "", 0)
	forth, _ := b.AddTransition("forth", "")
	back, _ := b.AddTransition("back", "")
	b.AddInput(p, forth, 2)
	b.AddOutput(forth, q, 3)
	b.AddInput(q, back, 5)
	b.AddOutput(back, p, 1)
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	space, err := symbolic.Explore(t.Context(), net, symbolic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := FromStateSpace(t.Context(), space, []string{"forth", "back"})
	if err != nil {
		t.Fatal(err)
	}
	s, err := roundTrip(t, m).System()
	if err != nil {
		t.Fatal(err)
	}
	again, err := symbolic.ExploreSystem(t.Context(), s, symbolic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	firings, err := again.Firings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want, err := space.Firings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if again.States().Cmp(space.States()) != 0 || firings.Cmp(want) != 0 {
		t.Errorf("%v states, %v firings; the net has %v and %v", again.States(), firings, space.States(), want)
	}
}

// TestLargeTablesNameTheirEvent: an event that needs too many rows is told by its name.
func TestLargeTablesNameTheirEvent(t *testing.T) {
	space := &symbolic.StateSpace{Complete: true, Bounds: []uint32{maximalRows + 1}, System: &symbolic.System{
		Names: []string{"p"}, Initial: []uint32{maximalRows + 1}, Events: []symbolic.Event{
			{{Variable: 0, Low: maximalRows, High: 1 << 31, Delta: -1}},
			{{Variable: 0, Low: 1, High: 1 << 31, Delta: -1}},
		}}}
	_, err := FromStateSpace(t.Context(), space, []string{"few", "move"})
	if want := `event "move" needs more than 1048576 rows of a table`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func FuzzRead(f *testing.F) {
	text, err := os.ReadFile("testdata/counter.etf")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text))
	f.Add("begin state\na:b\nend state\nbegin init\n0\nend init\nbegin trans\n*\n3\nend trans\n")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Read(strings.NewReader(text), "fuzz")
		if err != nil {
			return
		}
		if _, err := m.System(); err != nil {
			t.Fatal(err)
		}
		if again := roundTrip(t, m); !reflect.DeepEqual(again, m) {
			t.Fatalf("got %+v, want %+v", again, m)
		}
	})
}

func Example() {
	text := "begin state\nx:int\nend state\nbegin init\n0\nend init\nbegin trans\n0/1\n1/2\nend trans\n"
	m, err := Read(strings.NewReader(text), "count.etf")
	if err != nil {
		panic(err)
	}
	fmt.Println(len(m.Variables), "variable,", len(m.Groups[0]), "rows")
	// Output: 1 variable, 2 rows
}

// TestVocabulary names variables and labels, and shifts what is said of values.
func TestVocabulary(t *testing.T) {
	m := readFile(t, "testdata/counter.etf")
	v := m.Vocabulary()
	if got := v.Places("high"); !reflect.DeepEqual(got, []uint32{1}) || v.PlaceName(1) != "high" || v.Places("top") != nil {
		t.Errorf("places %v, %q, %v", got, v.PlaceName(1), v.Places("top"))
	}
	if got := v.Transitions("set"); !reflect.DeepEqual(got, []uint32{0}) || v.TransitionName(1) != `carry "over"` {
		t.Errorf("transitions %v, %q", got, v.TransitionName(1))
	}
	if got := v.TransitionNames(); len(got) != 2 || len(v.PlaceNames()) != 2 {
		t.Errorf("names %v, %v", got, v.PlaceNames())
	}
	p, err := logic.ParsePredicate("!(low + 2 * high <= 1)", v)
	if err != nil {
		t.Fatal(err)
	}
	shifted, err := m.Shifted(p)
	if err != nil {
		t.Fatal(err)
	}
	for low := int64(0); low <= 1; low++ {
		for high := int64(-1); high <= 1; high++ {
			if got, want := shifted.Holds([]int64{low, high + 1}, 0, nil), low+2*high > 1; got != want {
				t.Errorf("low %d, high %d: %v, want %v", low, high, got, want)
			}
		}
	}
	huge := &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: math.MinInt64, Terms: []logic.Term{{Place: 1, Coefficient: 1}}}}
	if _, err := m.Shifted(huge); err == nil {
		t.Error("a sum beyond 64 bits was shifted")
	}
}

// TestLabelNames names rows without a label by their place, and labels without a
// name by their number.
func TestLabelNames(t *testing.T) {
	m := &Model{Variables: []Typed{{"x", "s"}}, Initial: []int32{0}, Groups: []Group{{{}, {}}}}
	if got := m.Vocabulary().TransitionName(1); got != "row 2 of transition group 1" {
		t.Error(got)
	}
	m.EdgeLabels, m.Groups = []Typed{{"action", "a"}}, []Group{{{Labels: []int32{7}}}}
	if got := m.Vocabulary().TransitionName(0); got != "7" {
		t.Error(got)
	}
}
