package experiment

import (
	"fmt"
	"io"
)

// WriteComparison prints how an approach compares with each other one, for each model and set of
// properties. It counts the properties for which its whole product has no more states. And it
// adds up the transitions that it explored, and divides them by those of the other. Properties to
// which some approach does not apply have rows of their own.
//
// For example, TGTA explored 500 and 300 transitions for two properties, and BA 800 and 200. The
// row against BA then has 800, 1000 and the ratio 0.800. Sums are compared, so a property that
// takes long counts more than one that is decided at once. At last comes how often each approach is
// best, where each property counts once.
func WriteComparison(w io.Writer, records []Record, approach string) error {
	out := &printer{w: w}
	out.printf("%s against the others\n\n", approach)
	lines := []string{"model\tset\tnot for\tverdict\tagainst\tproducts\tnone larger\tof all\texplored transitions\tof the other\tratio\t"}
	for o, records := range byOrigin(records) {
		for _, verdict := range []string{verified, violated} {
			for _, p := range divide(records, o, verdict) {
				own := p.of(approach)
				for _, g := range p.groups {
					if g.approach != approach && len(g.records) > 0 && len(own) > 0 {
						lines = append(lines, fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%s", o.model, o.set, p.refusedBy, verdict, g.approach, compare(own, g.records)))
					}
				}
			}
		}
	}
	out.columns(lines...)
	out.printf("\n")
	if out.err != nil {
		return out.err
	}
	return writeBest(w, records)
}

// of returns the records of an approach.
func (p part) of(approach string) []Record {
	for _, g := range p.groups {
		if g.approach == approach {
			return g.records
		}
	}
	return nil
}

// compare returns the columns for two approaches to the same properties.
func compare(own, other []Record) string {
	products, smaller := 0, 0
	explored, elsewhere := int64(0), int64(0)
	for i, r := range own {
		o := other[i]
		if r.FullStates >= 0 && o.FullStates >= 0 {
			products++
			if r.FullStates <= o.FullStates {
				smaller++
			}
		}
		explored += r.ExploredTransitions
		elsewhere += o.ExploredTransitions
	}
	return fmt.Sprintf("%d\t%d\t%s\t%d\t%d\t%s\t", products, smaller, percent(smaller, products), explored, elsewhere, ratio(explored, elsewhere))
}

// percent returns a part of a whole, and a question mark of nothing.
func percent(part, whole int) string {
	if whole == 0 {
		return "?"
	}
	return fmt.Sprintf("%.1f%%", 100*float64(part)/float64(whole))
}

// ratio returns a over b, and a question mark if b is zero.
func ratio(a, b int64) string {
	if b == 0 {
		return "?"
	}
	return fmt.Sprintf("%.3f", float64(a)/float64(b))
}

// writeBest prints for each approach how often it is best. It looks at the properties that were
// decided by all approaches that apply. It counts those for which the approach explores no more
// transitions than any other, and those for which it explores at most twice as many as the best.
//
// For example, three approaches explore 100, 150 and 400 transitions for a property. The first is
// best, and the first two explore at most twice as many as the best. Each property counts once,
// however large it is. Several approaches may be best for one property.
func writeBest(w io.Writer, records []Record) error {
	type count struct{ properties, best, twice int }
	counts := map[string]*count{}
	var approaches []string
	for o, records := range byOrigin(records) {
		for _, p := range append(divide(records, o, verified), divide(records, o, violated)...) {
			for _, g := range p.groups {
				c := counts[g.approach]
				if c == nil {
					c = &count{}
					counts[g.approach] = c
					approaches = append(approaches, g.approach)
				}
				for i, r := range g.records {
					least := r.ExploredTransitions
					for _, other := range p.groups {
						least = min(least, other.records[i].ExploredTransitions)
					}
					c.properties++
					if r.ExploredTransitions == least {
						c.best++
					}
					if r.ExploredTransitions <= 2*least {
						c.twice++
					}
				}
			}
		}
	}
	out := &printer{w: w}
	out.printf("Transitions explored, against those of the best approach for the property\n\n")
	lines := []string{"approach\tproperties\tbest\tof all\tat most twice\tof all\t"}
	for _, a := range approaches {
		c := counts[a]
		lines = append(lines, fmt.Sprintf("%s\t%d\t%d\t%s\t%d\t%s\t", a, c.properties, c.best, percent(c.best, c.properties), c.twice, percent(c.twice, c.properties)))
	}
	out.columns(lines...)
	out.printf("\n")
	return out.err
}
