package experiment

import (
	"iter"
	"slices"
	"strings"
)

// origin is a model and a set of properties of it.
type origin struct{ model, set string }

// group has the records of one approach for properties that others decided too.
type group struct {
	approach string
	records  []Record // by line
}

// part are properties of one origin and one verdict that the same approaches refuse,
// such as those that are not stutter-invariant. So the other approaches can still be
// compared where one does not apply.
type part struct {
	origin
	refusedBy string  // approaches, with commas between; empty for none
	groups    []group // of the other approaches, for the properties that all of them decided
	left      []leftOut
}

// leftOut reports how many properties an approach keeps out of the groups.
type leftOut struct {
	approach, why string
	properties    int
}

// divide finds the parts of an origin; the part that no approach refuses comes first. Of a
// property that was measured more than once by an approach, one record counts.
//
// An average over properties is a comparison only if all approaches have the same properties in it.
// An approach that reached its limit on the ten hardest would otherwise look best. So a property
// counts for all approaches or for none: each of them must have decided it, with the same verdict.
// Records that are left out are counted, with the reason.
//
// There is one exception. An approach that does not apply to a property at all, as TA do not to
// properties that stuttering changes, has not failed. Such properties form a part of their own, in
// which the other approaches are compared. For example, of 100 properties TA refuse 20, and TGTA time
// out on 5 of the others: the first part has 75 properties of all approaches, and the second at most
// 20, of all but TA.
func divide(records []Record, o origin, verdict string) []part {
	approaches, lines := byLine(records, o)
	parts := []part{{origin: o}}
	for _, line := range sortedLines(lines) {
		of := lines[line]
		if !slices.ContainsFunc(approaches, func(a string) bool { return of[a].Verdict == verdict }) {
			continue
		}
		var applicable, refusing []string
		for _, a := range approaches {
			if r, measured := of[a]; measured && r.refused() {
				refusing = append(refusing, a)
			} else {
				applicable = append(applicable, a)
			}
		}
		name := strings.Join(refusing, ",")
		i := slices.IndexFunc(parts, func(p part) bool { return p.refusedBy == name })
		if i < 0 {
			i = len(parts)
			parts = append(parts, part{origin: o, refusedBy: name})
		}
		parts[i].add(of, applicable, verdict)
		for _, a := range refusing {
			parts[0].leave(a, "does not apply: "+of[a].Reason)
		}
	}
	return parts
}

// add puts the records of a property into the groups, if all applicable approaches
// gave the verdict.
func (p *part) add(of map[string]Record, applicable []string, verdict string) {
	whole := true
	for _, a := range applicable {
		if r, measured := of[a]; !measured || r.Verdict != verdict {
			whole = false
			p.leave(a, why(r, measured))
		}
	}
	for _, a := range applicable {
		i := slices.IndexFunc(p.groups, func(g group) bool { return g.approach == a })
		if i < 0 {
			i = len(p.groups)
			p.groups = append(p.groups, group{approach: a})
		}
		if whole {
			p.groups[i].records = append(p.groups[i].records, of[a])
		}
	}
}

// why returns why a record has not the verdict of others.
func why(r Record, measured bool) string {
	switch {
	case !measured:
		return "not measured"
	case r.decided():
		return "another verdict: " + r.Verdict
	case r.Reason == "":
		return "no verdict"
	}
	return r.Reason
}

// leave counts a property that an approach keeps out.
func (p *part) leave(approach, why string) {
	i := slices.IndexFunc(p.left, func(l leftOut) bool { return l.approach == approach && l.why == why })
	if i < 0 {
		i = len(p.left)
		p.left = append(p.left, leftOut{approach: approach, why: why})
	}
	p.left[i].properties++
}

// undecided returns why the approaches left properties of an origin without any verdict.
func undecided(records []Record, o origin) part {
	p := part{origin: o}
	_, lines := byLine(records, o)
	for _, line := range sortedLines(lines) {
		var open []Record
		for _, r := range lines[line] {
			if r.decided() {
				open = nil
				break
			}
			open = append(open, r)
		}
		slices.SortFunc(open, func(a, b Record) int { return strings.Compare(a.Approach, b.Approach) })
		for _, r := range open {
			p.leave(r.Approach, why(r, true))
		}
	}
	return p
}

// byLine has the records of an origin by line and approach, and the approaches in the
// order in which they occur.
func byLine(records []Record, o origin) (approaches []string, lines map[int]map[string]Record) {
	lines = map[int]map[string]Record{}
	for _, r := range latest(records) {
		if (origin{r.Model, r.Set}) != o {
			continue
		}
		if !slices.Contains(approaches, r.Approach) {
			approaches = append(approaches, r.Approach)
		}
		if lines[r.Line] == nil {
			lines[r.Line] = map[string]Record{}
		}
		lines[r.Line][r.Approach] = r
	}
	return approaches, lines
}

// sortedLines returns the line numbers in ascending order.
func sortedLines(lines map[int]map[string]Record) []int {
	var list []int
	for line := range lines {
		list = append(list, line)
	}
	slices.Sort(list)
	return list
}

// byOrigin yields the records of each origin, in the order in which these occur.
func byOrigin(records []Record) iter.Seq2[origin, []Record] {
	of := map[origin][]Record{}
	var order []origin
	for _, r := range records {
		o := origin{r.Model, r.Set}
		if of[o] == nil {
			order = append(order, o)
		}
		of[o] = append(of[o], r)
	}
	return func(yield func(origin, []Record) bool) {
		for _, o := range order {
			if !yield(o, of[o]) {
				return
			}
		}
	}
}

// Contradictions returns pairs of records that give one property different verdicts:
// one of them is wrong.
func Contradictions(records []Record) (pairs [][2]Record) {
	for o, records := range byOrigin(records) {
		approaches, lines := byLine(records, o)
		for _, line := range sortedLines(lines) {
			var first Record
			for _, a := range approaches {
				switch r := lines[line][a]; {
				case !r.decided():
				case !first.decided():
					first = r
				case r.Verdict != first.Verdict:
					pairs = append(pairs, [2]Record{first, r})
				}
			}
		}
	}
	return pairs
}
