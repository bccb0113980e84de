package pnml

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pnmc/petri"
)

// TestRoundTripOfAccepted writes and reads what testdata/accept holds.
func TestRoundTripOfAccepted(t *testing.T) {
	files, _ := filepath.Glob("testdata/accept/*.pnml")
	for _, file := range files {
		net, err := Reader{}.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := roundTrip(net); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// roundTrip reports whether net differs from what is read after writing it.
func roundTrip(net *petri.Net) error {
	var text bytes.Buffer
	if err := Write(&text, net); err != nil {
		return err
	}
	again, err := Reader{}.Read(bytes.NewReader(text.Bytes()), "again")
	if err != nil {
		return fmt.Errorf("%w in\n%s", err, text.String())
	}
	if !reflect.DeepEqual(net, again) {
		return fmt.Errorf("wrote\n%sread\n%s", describe(net), describe(again))
	}
	return nil
}

// TestRoundTripOfRandomNets does the same with names, weights and units of all
// kinds.
func TestRoundTripOfRandomNets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := randomNet(t)
		if err := roundTrip(net); err != nil {
			t.Fatal(err)
		}
	})
}

func randomNet(t *rapid.T) *petri.Net {
	identifier := rapid.StringMatching(`[a-cäπ𝒳<>&"'\]_-]{1,3}|a[0-3]`)
	name := rapid.StringMatching(`([!-~äπ𝒳�]([ -~\t\n\räπ𝒳]*[!-~äπ𝒳])?)?`)
	weight := rapid.OneOf(rapid.Int64Range(1, 3), rapid.Int64Range(1, math.MaxInt64))
	b := &petri.Builder{ID: identifier.Draw(t, "net"), Name: name.Draw(t, "title")}
	ids := rapid.SliceOfNDistinct(identifier, 0, 10, rapid.ID).Draw(t, "ids")
	places := rapid.IntRange(0, len(ids)).Draw(t, "places")
	for _, id := range ids[:places] {
		initial := rapid.OneOf(rapid.Int64Range(0, 1), rapid.Int64Min(0)).Draw(t, "initial")
		if _, err := b.AddPlace(id, name.Draw(t, "place"), initial); err != nil {
			t.Fatal(err)
		}
	}
	for i, id := range ids[places:] {
		if _, err := b.AddTransition(id, name.Draw(t, "transition")); err != nil {
			t.Fatal(err)
		}
		for p := range petri.Place(places) {
			if rapid.Bool().Draw(t, "input") {
				b.AddInput(p, petri.Transition(i), weight.Draw(t, "weight"))
			}
			if rapid.Bool().Draw(t, "output") {
				b.AddOutput(petri.Transition(i), p, weight.Draw(t, "weight"))
			}
		}
	}
	if rapid.Bool().Draw(t, "units") {
		b.SetNUPN(randomUnits(t, places, identifier))
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

func randomUnits(t *rapid.T, places int, identifier *rapid.Generator[string]) *petri.NUPN {
	ids := rapid.SliceOfNDistinct(identifier, 1, 5, rapid.ID).Draw(t, "unit ids")
	order := rapid.Permutation(ids).Draw(t, "order")
	index := make(map[string]int)
	units := &petri.NUPN{Safe: rapid.Bool().Draw(t, "safe")}
	for i, id := range ids {
		index[id] = i
		units.Units = append(units.Units, petri.Unit{ID: id})
	}
	units.Root = index[order[0]]
	for i, id := range order[1:] { // each under one before it in the order
		parent := &units.Units[index[order[rapid.IntRange(0, i).Draw(t, "parent")]]]
		parent.Subunits = append(parent.Subunits, index[id])
	}
	for p := range petri.Place(places) {
		unit := &units.Units[rapid.IntRange(0, len(ids)-1).Draw(t, "unit")]
		unit.Places = append(unit.Places, p)
	}
	return units
}

// TestWriteErrors writes what XML cannot hold, and to a writer that fails.
func TestWriteErrors(t *testing.T) {
	for _, c := range []struct{ id, name, want string }{
		{"", "", `"" cannot be written as an identifier: it is empty or has white space around it`},
		{" p", "", `" p" cannot be written as an identifier: it is empty or has white space around it`},
		{"p", "a\x00", `"a\x00" cannot be written: XML has no character as that at byte 1`},
		{"p", "a\xff", `"a\xff" cannot be written: XML has no character as that at byte 1`},
		{"p", "\uffff", `"\uffff" cannot be written: XML has no character as that at byte 0`},
		{"p q", "", `"p q" cannot be written in a unit: lists of identifiers are separated by white space`},
	} {
		var b petri.Builder
		b.AddPlace(c.id, c.name, 0)
		b.SetNUPN(&petri.NUPN{Units: []petri.Unit{{ID: "u", Places: []petri.Place{0}}}})
		net, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		if err := Write(io.Discard, net); err == nil || err.Error() != c.want {
			t.Errorf("%q, %q: got %v, want %s", c.id, c.name, err, c.want)
		}
	}
	full := errors.New("no space left")
	var b petri.Builder
	net, _ := b.Build()
	if err := Write(fullDisk{full}, net); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

type fullDisk struct{ err error }

func (d fullDisk) Write([]byte) (int, error) { return 0, d.err }

// largeNet returns a ring of nodes/2 places and as many transitions with long names
// and several arcs each.
func largeNet(nodes int) *petri.Net {
	b := &petri.Builder{ID: "large", Name: "A large net"}
	n := nodes / 2
	for i := range n {
		id := fmt.Sprintf("place_of_the_large_net_%d", i)
		b.AddPlace(id, strings.Repeat("a long name ", 5)+id, int64(i%3))
	}
	for i := range n {
		id := fmt.Sprintf("transition_of_the_large_net_%d", i)
		b.AddTransition(id, strings.Repeat("a long name ", 5)+id)
		for k := range 3 {
			b.AddInput(petri.Place((i+k*k)%n), petri.Transition(i), int64(1+k))
			b.AddOutput(petri.Transition(i), petri.Place((i*7+k+1)%n), int64(1+k))
		}
	}
	net, err := b.Build()
	if err != nil {
		panic(err)
	}
	return net
}

// BenchmarkRead reads a file of 60 MB and 100,000 nodes. PNML_LARGE names a
// file to write it to, for use elsewhere.
func BenchmarkRead(b *testing.B) {
	var text bytes.Buffer
	if err := Write(&text, largeNet(100_000)); err != nil {
		b.Fatal(err)
	}
	if path := os.Getenv("PNML_LARGE"); path != "" {
		if err := os.WriteFile(path, text.Bytes(), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		net, err := Reader{}.Read(bytes.NewReader(text.Bytes()), "large")
		if err != nil || net.Places() != 50_000 || net.Transitions() != 50_000 {
			b.Fatal(net.Places(), err)
		}
	}
}

func ExampleWrite() {
	var b petri.Builder
	b.ID = "n"
	p, _ := b.AddPlace("p", "a place", 2)
	t, _ := b.AddTransition("t", "")
	b.AddInput(p, t, 3)
	net, _ := b.Build()
	Write(os.Stdout, net)
	// Output:
	// <?xml version="1.0" encoding="UTF-8"?>
	// <pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
	//   <net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet">
	//     <page id="page">
	//       <place id="p">
	//         <name><text>a place</text></name>
	//         <initialMarking><text>2</text></initialMarking>
	//       </place>
	//       <transition id="t"/>
	//       <arc id="a0" source="p" target="t"><inscription><text>3</text></inscription></arc>
	//     </page>
	//   </net>
	// </pnml>
}

// TestWriteRefusesPlacesOutsideOfUnits: the reader would refuse what has no unit.
func TestWriteRefusesPlacesOutsideOfUnits(t *testing.T) {
	var b petri.Builder
	b.AddPlace("p", "", 0)
	b.AddPlace("q", "", 0)
	b.SetNUPN(&petri.NUPN{Units: []petri.Unit{{ID: "u", Places: []petri.Place{0}}}})
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	const want = `place "q" cannot be written: it is in no unit, and each place must be in one`
	if err := Write(io.Discard, net); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestWriteWhatNeverFires: a transition that puts more on a place than it may hold is written, as
// reduced nets have it, so that it never fires in what is read again.
func TestWriteWhatNeverFires(t *testing.T) {
	b := &petri.Builder{ID: "limited"}
	p, _ := b.AddPlace("p", "", 0)
	u, _ := b.AddTransition("t", "")
	if err := errors.Join(b.AddOutput(u, p, 2), b.SetCapacity(p, 1)); err != nil {
		t.Fatal(err)
	}
	limited, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	c := &petri.Builder{ID: "copy"}
	q, _ := c.AddPlace("p", "", 0)
	v, _ := c.AddTransition("t", "")
	if err := c.CopyArcs(v, limited, u, func(petri.Place) petri.Place { return q }); err != nil {
		t.Fatal(err)
	}
	copied, err := c.Build()
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := Write(&text, copied); err != nil {
		t.Fatal(err)
	}
	again, err := Reader{}.Read(&text, "again")
	if err != nil {
		t.Fatal(err)
	}
	for tokens := range int64(4) {
		if again.Enabled(petri.Marking{tokens}, 0) {
			t.Errorf("it fires with %d tokens", tokens)
		}
	}
}

// TestWriteStopsAtTheFirstError: once the writer has failed, as it does when time is over, no text is
// looked at any more. What is made of texts with & in them counts for the work.
func TestWriteStopsAtTheFirstError(t *testing.T) {
	const length, arcs = 1 << 20, 100
	long := strings.Repeat("&", length)
	for kind, add := range map[string]func(b *petri.Builder, p petri.Place, t petri.Transition) error{
		"input":     func(b *petri.Builder, p petri.Place, t petri.Transition) error { return b.AddInput(p, t, 1) },
		"output":    func(b *petri.Builder, p petri.Place, t petri.Transition) error { return b.AddOutput(t, p, 1) },
		"inhibitor": func(b *petri.Builder, p petri.Place, t petri.Transition) error { return b.AddInhibitor(p, t, 1) },
		"reset":     func(b *petri.Builder, p petri.Place, t petri.Transition) error { return b.AddReset(p, t) },
	} {
		b := &petri.Builder{ID: "n"}
		b.AddPlace(long, long, 0)
		for i := range arcs {
			b.AddTransition(fmt.Sprint("t", i), "")
			if err := add(b, 0, petri.Transition(i)); err != nil {
				t.Fatal(err)
			}
		}
		net, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err = Write(fullDisk{io.ErrShortWrite}, net)
		runtime.ReadMemStats(&after)
		if made := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, io.ErrShortWrite) || made > length/2 {
			t.Errorf("%s: %d bytes are made of a name of %d after %v", kind, made, length, err)
		}
	}
}

// TestLongTextsAreWrittenInParts: texts longer than what is written at once are cut nowhere within a
// character, and the place of what cannot be written is that in the whole text.
func TestLongTextsAreWrittenInParts(t *testing.T) {
	for shift := range 5 {
		text := strings.Repeat("x", shift) + strings.Repeat("𝒳", longestPart) + "&" + strings.Repeat("y", longestPart)
		b := &petri.Builder{ID: "n"}
		b.AddPlace(text, text, 0)
		net, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		if err := roundTrip(net); err != nil {
			t.Errorf("shifted by %d: %.200v", shift, err)
		}
	}
	b := &petri.Builder{ID: "n"}
	b.AddPlace("p", strings.Repeat("x", 3*longestPart)+"\xf0\x9d\x92", 0)
	net, _ := b.Build()
	if err := Write(io.Discard, net); err == nil || !strings.HasSuffix(err.Error(), fmt.Sprint("byte ", 3*longestPart)) || len(err.Error()) > 300 {
		t.Errorf("%.300v", err)
	}
	b = &petri.Builder{ID: "n"}
	b.AddPlace("p", strings.Repeat("\x80", 3*longestPart), 0)
	net, _ = b.Build()
	if err := Write(io.Discard, net); err == nil || !strings.HasSuffix(err.Error(), "byte 0") {
		t.Errorf("%.300v", err)
	}
}
