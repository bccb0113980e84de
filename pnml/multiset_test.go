package pnml

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pnmc/petri/symmetric"
)

// monomial is a summand of the naive twin: a coefficient, and a tuple of colours.
type monomial struct {
	coefficient int64
	colours     []int64
}

// shape is a sort of the twin: nil components for the class of three integers.
type shape []shape

// sortText returns the sort as text.
func (s shape) sortText() string {
	if s == nil {
		return userSort("c")
	}
	text := `<productsort>`
	for _, component := range s {
		text += component.sortText()
	}
	return text + `</productsort>`
}

// drawShape draws a sort.
func drawShape(t *rapid.T, depth int) shape {
	if depth == 0 || rapid.Bool().Draw(t, "class") {
		return nil
	}
	s := shape{}
	for range rapid.IntRange(1, 3).Draw(t, "components") {
		s = append(s, drawShape(t, depth-1))
	}
	return s
}

// drawMultiset draws a term for a multiset of that sort, and what it is multiplied out to, naively: each
// term's list is a new one.
func drawMultiset(t *rapid.T, s shape, depth int) (text string, list []monomial) {
	kind := rapid.SampledFrom([]string{"colour", "add", "subtract", "numberof", "empty"}).Draw(t, "kind")
	if depth == 0 {
		kind = "colour"
	}
	switch {
	case kind == "empty":
		return `<subterm><empty>` + s.sortText() + `</empty></subterm>`, nil
	case kind == "numberof":
		number := rapid.Int64Range(0, 3).Draw(t, "number")
		inner, of := drawMultiset(t, s, depth-1)
		for _, m := range of {
			if number > 0 {
				list = append(list, monomial{number * m.coefficient, m.colours})
			}
		}
		return `<subterm><numberof><subterm><numberconstant value="` + strconv.FormatInt(number, 10) + `"/></subterm>` + inner + `</numberof></subterm>`, list
	case kind != "colour":
		for i := range rapid.IntRange(1, 3).Draw(t, "summands") {
			inner, of := drawMultiset(t, s, depth-1)
			text += inner
			for _, m := range of {
				if i > 0 && kind == "subtract" {
					m.coefficient = -m.coefficient
				}
				list = append(list, m)
			}
		}
		return `<subterm><` + kind + `>` + text + `</` + kind + `></subterm>`, list
	case s == nil:
		colour := rapid.IntRange(0, 2).Draw(t, "colour")
		return integer(colour+1, 3), []monomial{{1, []int64{int64(colour)}}}
	}
	list = []monomial{{1, nil}}
	for _, component := range s {
		inner, of := drawMultiset(t, component, max(depth-1, 0))
		text += inner
		var next []monomial
		for _, x := range list {
			for _, y := range of {
				next = append(next, monomial{x.coefficient * y.coefficient, append(append([]int64(nil), x.colours...), y.colours...)})
			}
		}
		list = next
	}
	return `<subterm><tuple>` + text + `</tuple></subterm>`, list
}

// TestMultisetsAreMultipliedOut compares what terms are multiplied out to with a naive twin.
func TestMultisetsAreMultipliedOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawShape(t, 2)
		term, want := drawMultiset(t, s, 3)
		text := colouredNet(integerRange("c", 3)+`<namedsort id="s">`+s.sortText()+`</namedsort>`, markedPlace("p", "s", term))
		document, err := Reader{}.ReadDocument(strings.NewReader(text), "f")
		if err != nil {
			t.Fatal(err)
		}
		if got, want := fmt.Sprint(naive(document.Symmetric.Places[0].Initial)), fmt.Sprint(want); got != want {
			t.Errorf("%s\n%s\nwant %s", term, got, want)
		}
	})
}

// naive returns an expression of constants as the twin has it.
func naive(e symmetric.Expression) (list []monomial) {
	for _, m := range e {
		n := monomial{coefficient: m.Coefficient}
		for _, term := range m.Terms {
			n.colours = append(n.colours, term.Value)
		}
		list = append(list, n)
	}
	return list
}
