package etf

import (
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pnmc/petri"
)

// TestUnwritableNames expects errors for names that would be read as something else.
func TestUnwritableNames(t *testing.T) {
	for _, m := range []*Model{
		{Variables: []Typed{{"a", "s"}, {"b", "s"}, {"a", "t"}}}, {Variables: []Typed{{"a", "s\n"}}},
		{EdgeLabels: []Typed{{"a\n", "s"}}}, {Sorts: []Sort{{Name: "a\rb"}}}, {Maps: []Map{{Typed: Typed{"a", "b\n"}}}},
	} {
		if err := m.Write(io.Discard); err == nil {
			t.Errorf("%+v was written", m)
		}
	}
}

// TestNamesRoundTrip writes any names and reads them back, nameless variables and words
// of the format among them.
func TestNamesRoundTrip(t *testing.T) {
	name := rapid.OneOf(
		rapid.StringOfN(rapid.RuneFrom([]rune("aB0_'.:\\\"*/# \té")), 0, 5, -1),
		rapid.SampledFrom([]string{"", "_", "end", "state", "begin", "trans"}),
	)
	rapid.Check(t, func(t *rapid.T) {
		m := &Model{
			EdgeLabels: []Typed{{name.Draw(t, "label"), name.Draw(t, "sort of the label")}},
			Maps:       []Map{{Typed: Typed{name.Draw(t, "map"), name.Draw(t, "sort of the map")}}},
			Sorts:      []Sort{{Name: name.Draw(t, "sort")}},
			Groups:     []Group{{{Entries: []Entry{{0, 0, 1}}, Labels: []int32{2}}}},
		}
		id := func(v Typed) string { return v.Name }
		m.Variables = append(m.Variables, Typed{"first", "s"}, Typed{"", name.Draw(t, "sort")}, Typed{})
		m.Variables = append(m.Variables, rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) Typed {
			return Typed{"v" + name.Draw(t, "variable"), name.Draw(t, "sort")}
		}), 0, 4, id).Draw(t, "variables")...)
		m.Initial = make([]int32, len(m.Variables))
		var text strings.Builder
		if err := m.Write(&text); err != nil {
			t.Fatal(err)
		}
		got, err := Read(strings.NewReader(text.String()), "written")
		if err != nil {
			t.Fatalf("%v\n%s", err, text.String())
		}
		if !reflect.DeepEqual(got, m) {
			t.Fatalf("got %+v\nwant %+v\n%s", got, m, text.String())
		}
	})
}

// TestNamesOfLTSmin reads names as LTSmin writes them: a backslash before what is no
// letter, and an underscore for variables without a name.
func TestNamesOfLTSmin(t *testing.T) {
	m, err := Read(strings.NewReader("begin state\nGearControl\\.dir:int \\_:_ _:_ _:int a\\ b:\\end\nend state\nbegin init\n1 2 3 4 5\nend init\n"), "x")
	if err != nil {
		t.Fatal(err)
	}
	want := []Typed{{"GearControl.dir", "int"}, {"_", ""}, {"", ""}, {"", "int"}, {"a b", "end"}}
	if !reflect.DeepEqual(m.Variables, want) {
		t.Errorf("got %q, want %q", m.Variables, want)
	}
	v := m.Vocabulary()
	if got := v.Places("_"); len(got) != 1 || got[0] != 1 || v.Places("") != nil {
		t.Errorf("places %v and %v", got, v.Places(""))
	}
	if got, want := v.PlaceNames(), []string{"GearControl.dir", "_", "variable_3", "variable_4", "a b"}; !reflect.DeepEqual(got, want) {
		t.Errorf("names %q, want %q", got, want)
	}
	s, err := m.System()
	if err != nil || s.Names[2] != "variable_3" {
		t.Errorf("the system's names are %q (%v)", s.Names, err)
	}
}

// naiveValueName looks for the first sort of that name that names the value.
func naiveValueName(m *Model, sort string, value int32) string {
	for _, s := range m.Sorts {
		if s.Name == sort && sort != "" && value >= 0 && int(value) < len(s.Values) {
			return s.Values[value]
		}
	}
	return strconv.Itoa(int(value))
}

// TestLabelNamesOfSorts compares the index of sorts with a search through all of them, in the
// vocabulary and in the net of a model.
func TestLabelNamesOfSorts(t *testing.T) {
	sort := rapid.SampledFrom([]string{"a", "b", ""})
	rapid.Check(t, func(t *rapid.T) {
		m := &Model{Variables: []Typed{{"x", ""}}, Initial: []int32{0}, EdgeLabels: []Typed{{"l", sort.Draw(t, "sort")}}}
		for i := range rapid.IntRange(0, 8).Draw(t, "sorts") {
			s := Sort{Name: sort.Draw(t, "name")}
			for v := range rapid.IntRange(0, 5).Draw(t, "values") {
				s.Values = append(s.Values, fmt.Sprintf("s%d_%d", i, v))
			}
			m.Sorts = append(m.Sorts, s)
		}
		const least, most = -2, 7
		var rows Group
		for value := int32(least); value <= most; value++ {
			rows = append(rows, Row{Labels: []int32{value}})
		}
		m.Groups = []Group{rows}
		v := m.Vocabulary()
		net, err := m.Net(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			want := naiveValueName(m, m.EdgeLabels[0].Sort, int32(least+i))
			if got := v.TransitionName(uint32(i)); got != want {
				t.Errorf("the vocabulary calls %d %q, expected %q", least+i, got, want)
			}
			if got := net.TransitionLabel(petri.Transition(i)).Name; got != want {
				t.Errorf("the net calls %d %q, expected %q", least+i, got, want)
			}
		}
	})
}

// TestLabelsAskNoOtherSorts: what a row asks for its name has only those sorts that may name something:
// none of other names, and of one name none that is no longer than one before.
func TestLabelsAskNoOtherSorts(t *testing.T) {
	m := &Model{EdgeLabels: []Typed{{"l", "mine"}}}
	for i := range 30_000 {
		m.Sorts = append(m.Sorts, Sort{Name: fmt.Sprint("other", i), Values: []string{"x"}}, Sort{Name: "mine"})
	}
	if n := len(m.labelNames()); n != 0 {
		t.Errorf("%d sorts that name nothing are asked", n)
	}
	for range 1000 {
		m.Sorts = append(m.Sorts, Sort{Name: "mine", Values: []string{"one"}}, Sort{Name: "mine", Values: []string{"uno", "due"}})
	}
	if n := len(m.labelNames()); n != 2 {
		t.Errorf("%d sorts are asked, expected 2", n)
	}
}
