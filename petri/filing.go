package petri

// filing chooses under which field the rule of a transition is filed. Where rules are few, that is the group
// with most places of those that the transition needs, so that the rules lie in few files.
//
// Where rules are many, their files take nearly all the time of an exploration: with 31,000 transitions that need
// twelve places each, thousands of rules lie under the value that a group has at first. So there each rule is filed
// under the place that is the least likely to be marked, whether it is one of a group or has a field by itself: one
// without tokens at first if there is any, and of these one that few transitions need. In this example, one
// in ten rules is tried.
type filing struct {
	layout  *Layout
	initial Marking // nil where rules are few
}

// manyRules is from how many transitions on rules are filed under single places.
var manyRules = 1 << 12

func newFiling(l *Layout) filing {
	f := filing{layout: l}
	if l.net.Transitions() >= manyRules {
		f.initial = l.net.Initial()
	}
	return f
}

// choose returns the field to file the rule of t under, and which value it needs there; -1 if there is
// none. Of a place by itself that is 1, which stands for any tokens.
func (f *filing) choose(t Transition, groups []groupTest) (field int, value uint64) {
	l := f.layout
	field = -1
	if f.initial == nil {
		for _, g := range groups {
			if field < 0 || len(l.fields[g.field].places) > len(l.fields[field].places) {
				field, value = g.field, g.value
			}
		}
		return field, value
	}
	var best Place
	for _, a := range l.net.Pre(t) {
		i := int(l.fieldOf[a.Place])
		if i < 0 || field >= 0 && !f.likelier(best, a.Place) {
			continue
		}
		if !l.fields[i].group() {
			field, value, best = i, 1, a.Place
			continue
		}
		for _, g := range groups {
			if g.field == i {
				field, value, best = i, g.value, a.Place
			}
		}
	}
	return field, value
}

// work returns about what choose takes for t, in nanoseconds.
func (f *filing) work(t Transition, groups []groupTest) int {
	if f.initial == nil {
		return len(groups)
	}
	return len(f.layout.net.Pre(t)) * (1 + len(groups))
}

// likelier reports whether p is more likely to be marked than q.
func (f *filing) likelier(p, q Place) bool {
	if (f.initial[p] > 0) != (f.initial[q] > 0) {
		return f.initial[p] > 0
	}
	return len(f.layout.net.Consumers(p)) > len(f.layout.net.Consumers(q))
}
