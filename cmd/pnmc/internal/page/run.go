package page

import (
	"errors"
	"strings"

	"pnmc/petri"
	"pnmc/petri/symmetric"
	"pnmc/view"
)

// pageRun is a run as an engine gives it, by the transitions of its own net.
type pageRun struct {
	net      *petri.Net // or nil
	coloured bool
	// Steps of a place/transition net; or bindings of a coloured one.
	prefix, cycle   []view.Step
	bindings, round []symmetric.Firing
	stays           bool // a deadlock that stays is the cycle
	run             view.Run
}

// in returns the run by the transitions of the page's net: those with the same
// identifier or, in a coloured net, the bindings with the same name.
func (r *pageRun) in(net *view.Net) (view.Run, error) {
	run := r.run
	var err error
	if r.coloured {
		names := namesOf(net)
		if run.Prefix, err = firingSteps(net, names, r.bindings); err != nil {
			return run, err
		}
		if run.Cycle, err = firingSteps(net, names, r.round); err != nil {
			return run, err
		}
	} else {
		if run.Prefix, err = translateSteps(net.Net, r.net, r.prefix); err != nil {
			return run, err
		}
		if run.Cycle, err = translateSteps(net.Net, r.net, r.cycle); err != nil {
			return run, err
		}
	}
	if r.stays {
		run.Cycle = append(run.Cycle, view.Step{Times: 1, Stays: true})
	}
	return run, nil
}

// translateSteps replaces steps of one net by the transitions of another that have the
// same identifiers.
func translateSteps(to, from *petri.Net, steps []view.Step) ([]view.Step, error) {
	if to == from || from == nil {
		return steps, nil
	}
	list := make([]view.Step, len(steps))
	for i, step := range steps {
		list[i] = step
		if step.Stays {
			continue
		}
		label := from.TransitionLabel(step.Transition)
		number, known := to.TransitionByID(label.ID)
		if !known {
			return nil, errors.New("the page lacks transition " + label.ID)
		}
		list[i].Transition = number
	}
	return list, nil
}

// namesOf finds transitions of the unfolded net by coloured transition and name.
func namesOf(net *view.Net) []map[string]petri.Transition {
	names := make([]map[string]petri.Transition, len(net.Unfolding.Transitions))
	for t, modes := range net.Unfolding.Transitions {
		names[t] = make(map[string]petri.Transition, len(modes))
		for _, m := range modes {
			names[t][net.Net.TransitionLabel(m).Name] = m
		}
	}
	return names
}

// firingSteps replaces bindings by the transitions of the unfolded net, which it finds by
// their names.
func firingSteps(net *view.Net, names []map[string]petri.Transition, firings []symmetric.Firing) ([]view.Step, error) {
	list := make([]view.Step, len(firings))
	for i, f := range firings {
		t := &net.Unfolding.Coloured.Transitions[f.Transition]
		name := t.Name
		if name == "" {
			name = t.ID
		}
		if binding := t.Binding(f.Binding); binding != "" {
			name += "[" + binding + "]"
		}
		number, known := names[f.Transition][name]
		if !known {
			return nil, errors.New("the page lacks " + name)
		}
		list[i] = view.Step{Transition: number, Times: 1}
	}
	return list, nil
}

// firings returns the bindings that a run fires.
func (r *pageRun) firings(net *symmetric.Net) ([]symmetric.Firing, error) {
	if r.coloured {
		return append(append([]symmetric.Firing{}, r.bindings...), r.round...), nil
	}
	var list []symmetric.Firing
	for _, steps := range [][]view.Step{r.prefix, r.cycle} {
		for _, s := range steps {
			if s.Stays {
				continue
			}
			f, err := bindingCalled(net, r.net.TransitionLabel(s.Transition))
			if err != nil {
				return nil, err
			}
			list = append(list, f)
		}
	}
	return list, nil
}

// bindingCalled finds the binding that an unfolded transition stands for, by its name.
func bindingCalled(net *symmetric.Net, label petri.Label) (symmetric.Firing, error) {
	for i := range net.Transitions {
		t := &net.Transitions[i]
		name := t.Name
		if name == "" {
			name = t.ID
		}
		rest, found := strings.CutPrefix(label.Name, name)
		if !found {
			continue
		}
		if rest == "" && len(t.Variables) == 0 {
			return symmetric.Firing{Transition: i}, nil
		}
		binding, ok := readBinding(t, strings.TrimSuffix(strings.TrimPrefix(rest, "["), "]"))
		if ok && t.Binding(binding) == strings.TrimSuffix(strings.TrimPrefix(rest, "["), "]") {
			return symmetric.Firing{Transition: i, Binding: binding}, nil
		}
	}
	return symmetric.Firing{}, errors.New("no binding is called " + label.Name)
}

// readBinding reads what Transition.Binding writes.
//
// Names of colours may have commas and signs of equality in them, so that the text cannot be
// split at these. A colour goes up to ",y=", where y is the next variable. If a colour has that
// in it as well, the wrong part may be cut: so who calls it writes the binding again and
// compares.
func readBinding(t *symmetric.Transition, text string) ([]int64, bool) {
	binding := make([]int64, len(t.Variables))
	for i, v := range t.Variables {
		rest, found := strings.CutPrefix(text, v.Name+"=")
		if !found {
			return nil, false
		}
		colour := rest
		text = ""
		if i+1 < len(t.Variables) {
			at := strings.Index(rest, ","+t.Variables[i+1].Name+"=")
			if at < 0 {
				return nil, false
			}
			colour, text = rest[:at], rest[at+1:]
		}
		var known bool
		if binding[i], known = v.Class.Number(colour); !known {
			return nil, false
		}
	}
	return binding, true
}
