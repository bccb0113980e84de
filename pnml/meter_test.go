package pnml

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unsafe"
)

// errFull is the error of limits in tests.
var errFull = errors.New("full")

// within returns a limit that says no after so many bytes.
func within(bytes int) func(int) error {
	return func(n int) error {
		if bytes -= n; bytes < 0 {
			return errFull
		}
		return nil
	}
}

// asked returns for how many bytes the limit is asked while a text is read.
func asked(t *testing.T, text string) int {
	t.Helper()
	bytes := 0
	reader := Reader{Limit: func(n int) error { bytes += n; return nil }}
	if _, err := reader.ReadDocument(strings.NewReader(text), "f"); err != nil {
		t.Fatal(err)
	}
	return bytes
}

// colouredNet returns a symmetric net with these declarations and nodes.
func colouredNet(declarations, nodes string) string {
	return `<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/symmetricnet"><declaration><structure><declarations>` +
		declarations + `</declarations></structure></declaration><page id="g">` + nodes + `</page></net></pnml>`
}

// integerRange returns the declaration of the class of integers from 1 to size, with that identifier.
func integerRange(id string, size int) string {
	return fmt.Sprintf(`<namedsort id="%s" name="%[1]s"><finiteintrange start="1" end="%d"/></namedsort>`, id, size)
}

// integer returns the term for a colour of the class of integers from 1 to size.
func integer(value, size int) string {
	return fmt.Sprintf(`<subterm><finiteintrangeconstant value="%d"><finiteintrange start="1" end="%d"/></finiteintrangeconstant></subterm>`, value, size)
}

// add returns the term for the sum of terms.
func add(terms ...string) string {
	return `<subterm><add>` + strings.Join(terms, "") + `</add></subterm>`
}

// markedPlace returns a place of that sort with an initial marking.
func markedPlace(id, sort, marking string) string {
	return `<place id="` + id + `"><type><structure><usersort declaration="` + sort + `"/></structure></type><hlinitialMarking><structure>` +
		marking + `</structure></hlinitialMarking></place>`
}

// TestLimitEndsReading: once the limit has said no, its error comes out, wherever that was, and it is
// not asked again.
func TestLimitEndsReading(t *testing.T) {
	text := colouredNet(integerRange("c", 100)+`<partition id="q"><usersort declaration="c"/><partitionelement id="e">`+integer(1, 100)+`</partitionelement></partition>`,
		markedPlace("p", "c", add(integer(1, 100), integer(2, 100)))+strings.Repeat(`<place/>`, 3))
	full, questions := 0, 0
	for more := true; more; full++ {
		left := full
		questions = 0
		reader := Reader{Limit: func(int) error {
			questions++
			if left--; left < 0 {
				return errFull
			}
			return nil
		}}
		_, err := reader.ReadDocument(strings.NewReader(text), "f")
		if more = errors.Is(err, errFull); more && questions != full+1 || err == nil {
			t.Fatalf("asked %d times, of which %d were right: %v", questions, full, err)
		}
	}
	if full < 5 {
		t.Errorf("asked %d times in all", full-1)
	}
}

// TestPartitionsAreAskedFor: a partition of a large class takes memory for each of its colours, also
// one that is wrong.
func TestPartitionsAreAskedFor(t *testing.T) {
	const size = 1 << 20
	partition := func(id string) string {
		return `<partition id="` + id + `"><usersort declaration="c"/><partitionelement id="e` + id + `"/></partition>`
	}
	text := colouredNet(integerRange("c", size)+partition("q")+partition("r")+partition("s"), "")
	_, err := Reader{Limit: within(20 << 20)}.ReadDocument(strings.NewReader(text), "f")
	if !errors.Is(err, errFull) {
		t.Errorf("three partitions of a million colours within 20 MB: %v", err)
	}
	if _, err := (Reader{Limit: within(28 << 20)}).ReadDocument(strings.NewReader(text), "f"); err == nil || errors.Is(err, errFull) {
		t.Errorf("three partitions of a million colours within 28 MB: %v", err)
	}
}

// partitioned returns a symmetric net with a class of integers in two parts, f with 1 and e with the
// others, and a marking with so many times the name of one of them.
func partitioned(size, times int, name string) string {
	var rest strings.Builder
	for i := 2; i <= size; i++ {
		rest.WriteString(integer(i, size))
	}
	part := func(id, colours string) string {
		return `<partitionelement id="` + id + `">` + strings.NewReplacer("<subterm>", "", "</subterm>", "").Replace(colours) + `</partitionelement>`
	}
	return colouredNet(integerRange("c", size)+`<partition id="q"><usersort declaration="c"/>`+part("e", rest.String())+part("f", integer(1, size))+`</partition>`,
		markedPlace("p", "c", add(strings.Repeat(`<subterm><useroperator declaration="`+name+`"/></subterm>`, times))))
}

// TestNamesOfPartsAreAskedFor: the name of a part stands for all colours in it, and each name takes
// memory for them.
func TestNamesOfPartsAreAskedFor(t *testing.T) {
	const size, times = 1000, 100
	least := size * times * (monomialBytes + termBytes)
	if got := asked(t, partitioned(size, times, "e")) - asked(t, partitioned(size, 1, "e")); got < least*9/10 {
		t.Errorf("asked for %d bytes, of %d", got, least)
	}
	_, err := Reader{Limit: within(least)}.ReadDocument(strings.NewReader(partitioned(size, times, "e")), "f")
	if !errors.Is(err, errFull) {
		t.Error(err)
	}
}

// TestNamesOfSmallParts: the colours of parts are listed once: the name of a part of one colour does
// not take what its class is large.
func TestNamesOfSmallParts(t *testing.T) {
	const size, times = 100, 20
	document, err := Reader{}.ReadDocument(strings.NewReader(partitioned(size, times, "f")), "f")
	if err != nil {
		t.Fatal(err)
	}
	if sum := document.Symmetric.Places[0].Initial; len(sum) != times || sum[times-1].Terms[0].Value != 0 {
		t.Errorf("sum %v", sum)
	}
	p := &partition{element: []int64{2, 0, 2, 0, 0, -1}, count: 4}
	for number, want := range []string{"[1 3 4]", "[]", "[0 2]", "[]"} {
		first := p.listed(int64(number), &meter{})
		if got := fmt.Sprint(first); got != want {
			t.Errorf("part %d: %s, want %s", number, got, want)
		}
		if len(first) > 0 && &p.listed(int64(number), &meter{})[0] != &first[0] {
			t.Errorf("part %d is listed twice", number)
		}
	}
	none := &partition{element: p.element, count: 4}
	if m := (meter{limit: within(8)}); none.listed(0, &m) != nil || !errors.Is(m.ended, errFull) {
		t.Errorf("listed without room: %v", m.ended)
	}
}

// TestPartThatLeavesOut: the name of a part whose partition leaves out colours adds no second finding.
func TestPartThatLeavesOut(t *testing.T) {
	text := strings.Replace(partitioned(5, 1, "f"), `value="3"`, `value="2"`, 1)
	_, err := Reader{}.ReadDocument(strings.NewReader(text), "f")
	if err == nil || strings.Count(err.Error(), "\n") != 1 || !strings.Contains(err.Error(), `leaves out "3"`) {
		t.Error(err)
	}
}

// product returns the declaration of the product of these sorts, with that identifier.
func product(id string, sorts ...string) string {
	return `<namedsort id="` + id + `"><productsort>` + userSort(sorts...) + `</productsort></namedsort>`
}

// userSort returns the sorts with these identifiers.
func userSort(ids ...string) string {
	var text strings.Builder
	for _, id := range ids {
		text.WriteString(`<usersort declaration="` + id + `"/>`)
	}
	return text.String()
}

// repeated returns n times a word.
func repeated(n int, word string) []string { return strings.Fields(strings.Repeat(word+" ", n)) }

// TestTuplesOfSumsAreAskedFor: a tuple of sums takes memory for all that it is multiplied out to, and
// is asked for before.
func TestTuplesOfSumsAreAskedFor(t *testing.T) {
	const size, width = 30, 60
	sum := make([]string, size)
	for i := range sum {
		sum[i] = integer(i+1, size)
	}
	text := func(sum ...string) string {
		ones := strings.Repeat(`<subterm>`+integer(1, 1)+`</subterm>`, width-2)
		return colouredNet(integerRange("c", size)+integerRange("u", 1)+product("d", append([]string{"c", "c"}, repeated(width-2, "u")...)...),
			markedPlace("p", "d", `<tuple>`+add(sum...)+add(sum...)+ones+`</tuple>`))
	}
	least := size * size * (monomialBytes + width*termBytes)
	if got := asked(t, text(sum...)) - asked(t, text(sum[0])); got < least {
		t.Errorf("asked for %d bytes, of %d", got, least)
	}
	largest := 0
	reader := Reader{Limit: func(bytes int) error {
		if largest = max(largest, bytes); bytes >= size*size*width*termBytes {
			return errFull
		}
		return nil
	}}
	if _, err := reader.ReadDocument(strings.NewReader(text(sum...)), "f"); !errors.Is(err, errFull) {
		t.Errorf("asked for at most %d bytes at once: %v", largest, err)
	}
}

// TestTermsOfProductsAreAskedFor: a variable of a product stands for many, and a comparison of two for
// many comparisons.
func TestTermsOfProductsAreAskedFor(t *testing.T) {
	const width, times = maxLeaves, 20
	const x = `<subterm><variable refvariable="x"/></subterm>`
	text := func(times int) string {
		return colouredNet(integerRange("c", 1)+product("d", repeated(width, "c")...)+`<variabledecl id="x">`+userSort("d")+`</variabledecl>`,
			`<place id="p"><type><structure>`+userSort("d")+`</structure></type></place><transition id="t"><condition><structure><and>`+
				strings.Repeat(`<subterm><equality>`+x+x+`</equality></subterm>`, times)+`</and></structure></condition></transition>`)
	}
	if got, least := asked(t, text(2*times))-asked(t, text(times)), times*width*(guardBytes+2*termBytes); got < least {
		t.Errorf("asked for %d bytes, of %d", got, least)
	}
	if _, err := (Reader{Limit: within(times * width * guardBytes)}).ReadDocument(strings.NewReader(text(times)), "f"); !errors.Is(err, errFull) {
		t.Error(err)
	}
}

// TestNestedSumsAreNotCopied: summands are added to one sum, however deep they stand: the work of twice
// the depth is twice as much.
func TestNestedSumsAreNotCopied(t *testing.T) {
	text := func(depth int) string {
		return colouredNet(integerRange("c", 9), markedPlace("p", "c",
			strings.Repeat(`<subterm><add>`+integer(1, 9), depth)+integer(2, 9)+strings.Repeat(`</add></subterm>`, depth)))
	}
	if half, whole := asked(t, text(400)), asked(t, text(800)); whole > half*5/2 {
		t.Errorf("asked for %d, and for %d of twice the depth", half, whole)
	}
}

// TestDeepSortsAreAskedFor: two products that nest are compared as deep as they do, for each term.
func TestDeepSortsAreAskedFor(t *testing.T) {
	const depth, times = 500, 10
	deep := func(id string) string {
		text := product(id+"0", "c")
		for i := range depth {
			text += product(fmt.Sprint(id, i+1), fmt.Sprint(id, i))
		}
		return text
	}
	d, e := fmt.Sprint("d", depth), fmt.Sprint("e", depth)
	text := func(times int) string {
		return colouredNet(integerRange("c", 5)+deep("d")+deep("e")+`<variabledecl id="x">`+userSort(e)+`</variabledecl>`,
			`<place id="p"><type><structure>`+userSort(d)+`</structure></type></place><transition id="t"/><arc source="p" target="t"><hlinscription><structure>`+
				add(strings.Repeat(`<subterm><variable refvariable="x"/></subterm>`, times))+`</structure></hlinscription></arc>`)
	}
	if got, least := asked(t, text(2*times))-asked(t, text(times)), times*depth*sameWork; got < least {
		t.Errorf("asked for %d, of %d", got, least)
	}
}

// TestSpecialArcsAreAskedFor: arcs that move no tokens are asked for as others are, in nets of both
// kinds, before the net is made. Two of the same nodes share the identifiers that they were read with.
func TestSpecialArcsAreAskedFor(t *testing.T) {
	const times = 1000
	for _, kind := range []string{"reset", "inhibitor", "read"} {
		bytes := specialBytes[arcKinds[kind]]
		nodes := `<place id="p"/><transition id="t"/>`
		arcs := strings.Repeat(`<arc source="p" target="t" type="`+kind+`"/>`, times)
		for name, text := range map[string]func(string) string{"plain": withinNet, "coloured": func(nodes string) string { return colouredNet("", nodes) }} {
			if name == "coloured" && kind == "reset" {
				continue // these are refused
			}
			if got := asked(t, text(nodes+arcs)) - asked(t, text(nodes)); got < times*bytes {
				t.Errorf("%s: asked for %d bytes for %s arcs, of %d", name, got, kind, times*bytes)
			}
			if _, err := (Reader{Limit: within(times * bytes)}).ReadDocument(strings.NewReader(text(nodes+arcs)), "f"); !errors.Is(err, errFull) {
				t.Errorf("%s: %v of %s arcs", name, err, kind)
			}
		}
		p := &parser{scanner: newScanner(strings.NewReader(withinNet(nodes+arcs)), "f", nil)}
		d, err := p.document()
		if err != nil {
			t.Fatal(err)
		}
		first, last := d.special.At(0), d.special.Top()
		if unsafe.StringData(first.source) != unsafe.StringData(last.source) || unsafe.StringData(first.target) != unsafe.StringData(last.target) {
			t.Errorf("%s arcs keep copies of identifiers", kind)
		}
	}
}

// TestConnectingIsAskedFor: arcs are asked for as work while they are connected, beside the memory that
// they take.
func TestConnectingIsAskedFor(t *testing.T) {
	const times = 1000
	for name, text := range map[string]func(string) string{"plain": withinNet, "coloured": func(nodes string) string { return colouredNet("", nodes) }} {
		net := func(times int) string {
			return text(`<place id="p"/><transition id="t"/>` + strings.Repeat(`<arc id="a" source="p" target="t"/>`, times))
		}
		if got, least := asked(t, net(2*times))-asked(t, net(times)), times*(arcBytes+arcWork); got < least {
			t.Errorf("%s: asked for %d, of %d", name, got, least)
		}
	}
}

// TestMultiplesAreAskedFor: a multiple of a multiple of a sum goes through the sum twice.
func TestMultiplesAreAskedFor(t *testing.T) {
	const size, depth = 100, 100
	text := func(depth int) string {
		return colouredNet(integerRange("c", 9), markedPlace("p", "c",
			strings.Repeat(`<numberof><subterm><numberconstant value="1"/></subterm><subterm>`, depth)+add(strings.Repeat(integer(1, 9), size))+
				strings.Repeat(`</subterm></numberof>`, depth)))
	}
	if got, least := asked(t, text(2*depth))-asked(t, text(depth)), depth*size*scaleWork; got < least {
		t.Errorf("asked for %d, of %d", got, least)
	}
}
