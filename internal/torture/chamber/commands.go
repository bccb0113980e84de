package chamber

import (
	"fmt"
	"math"
	"slices"
	"time"

	"pnmc/internal/torture/draw"
)

// command is one of pnmc's, with the kinds of input it is run on.
type command struct {
	name  string
	kinds []string
	draw  func(*drawing)
}

// commands returns all of pnmc's that read or decide something; some stand here for
// several ways of use.
func commands() []command {
	nets, formulas, automata := draw.NetKinds(), draw.FormulaKinds(), draw.AutomatonKinds()
	drawings, tables, properties := draw.DrawingKinds(), draw.TableKinds(), draw.PropertyKinds()
	return []command{
		{"check-ltl", slices.Concat(nets, formulas), (*drawing).checkFormulas},
		{"check-hoa", slices.Concat(nets, automata), (*drawing).checkAutomata},
		{"check-tgta", slices.Concat(drawings, []string{"net-toggles"}), (*drawing).checkDrawing},
		{"check-etf", slices.Concat(tables, formulas), (*drawing).checkTable},
		{"check-questions", slices.Concat(nets, properties), (*drawing).checkQuestions},
		{"states", nets, (*drawing).states},
		{"states-symbolic", slices.Concat(nets, tables), (*drawing).statesSymbolic},
		{"translate", formulas, (*drawing).translate},
		{"convert", slices.Concat(nets, automata, drawings, tables), (*drawing).convert},
		{"unfold", nets, (*drawing).unfold},
		{"reduce", nets, (*drawing).reduce},
		{"view", nets, (*drawing).view},
		{"play", nets, (*drawing).play},
		{"intersect", automata, (*drawing).compare},
		{"include", automata, (*drawing).compare},
		{"equivalent", automata, (*drawing).compare},
		{"cross", formulas, (*drawing).cross},
		{"mcc", slices.Concat(draw.ContestNetKinds(), properties), (*drawing).contest},
		{"batch", []string{"net-small", "net-toggles", "net-claims", "net-damaged", "net-coloured", "net-special", "properties-small", "properties-deep",
			"properties-wide", "properties-alternating", "properties-equivalences", "properties-steps", "properties-lists", "properties-damaged", "properties-long", "properties-wrong", "net-long"}, (*drawing).batch},
		{"bench", slices.Concat(nets, []string{"formula-small", "formula-deep", "formula-damaged", "automaton-small", "automaton-sets"}), (*drawing).bench},
		{"help", draw.ArgumentKinds(), (*drawing).help},
	}
}

// Commands and Kinds are the names that a run can be of.
func Commands() []string {
	var list []string
	for _, c := range commands() {
		list = append(list, c.name)
	}
	return list
}

// Kinds returns the kinds of input.
func Kinds() []string {
	return slices.Concat(draw.NetKinds(), draw.FormulaKinds(), draw.AutomatonKinds(), draw.DrawingKinds(), draw.TableKinds(), draw.PropertyKinds(), draw.ArgumentKinds())
}

// drawing is a case that is being drawn.
type drawing struct {
	*Case
	draw.Source
	// program is what the case's own commands, such as translators, may call.
	program string
}

// New draws a run. Of the commands and kinds only those named are drawn; none named
// means all.
//
// The command is drawn first, then one of the kinds of input that it reads: a command that reads
// few kinds is so run as often as one that reads many. Kinds that are mostly refused are drawn less
// often than those that reach the engines. All that follows comes from the same
// source, so that the seed and the number give the same run again, if the program of the chamber
// is the same.
func New(seed, number uint64, program string, onlyCommands, onlyKinds []string) (*Case, error) {
	s := draw.New(seed, number)
	type pair struct {
		command command
		kind    string
	}
	byCommand := map[string][]pair{}
	var names []string
	for _, c := range commands() {
		if len(onlyCommands) > 0 && !slices.Contains(onlyCommands, c.name) {
			continue
		}
		for _, kind := range c.kinds {
			if len(onlyKinds) == 0 || slices.Contains(onlyKinds, kind) {
				for range draw.Weight(kind) {
					byCommand[c.name] = append(byCommand[c.name], pair{c, kind})
				}
			}
		}
		if len(byCommand[c.name]) > 0 {
			names = append(names, c.name)
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no command of %v reads input of the kinds %v", onlyCommands, onlyKinds)
	}
	p := draw.Pick(s, byCommand[draw.Pick(s, names...)]...)
	d := &drawing{&Case{Seed: seed, Number: number, Command: p.command.name, Kind: p.kind,
		Files: map[string][]byte{}, Outputs: map[string]func([]byte) error{}}, s, program}
	p.command.draw(d)
	return d.Case, nil
}

// timeLimit draws a limit for something that is done so many times at most, and
// gives the program the flag.
func (d *drawing) timeLimit(flag string, times int) {
	limit := time.Duration(d.Magnitude(100, 3000)) * time.Millisecond
	if times > 2 {
		limit = time.Duration(d.Magnitude(100, 500)) * time.Millisecond
	}
	d.argue(flag, limit.String())
	d.Time += limit * time.Duration(times)
}

// memoryLimit draws a limit and gives the program the flag.
func (d *drawing) memoryLimit() {
	megabytes := d.megabytes()
	d.argue("--max-memory", fmt.Sprintf("%dMB", megabytes))
}

// megabytes draws the limit of memory, which the run is measured by.
func (d *drawing) megabytes() int {
	megabytes := d.Between(40, 300)
	d.Memory = int64(megabytes) << 20
	return megabytes
}

// net draws the net of the case, small unless its kind is in question.
func (d *drawing) net() *draw.Net {
	kind := d.Kind
	if !slices.Contains(draw.NetKinds(), kind) {
		kind = draw.Pick(d.Source, "net-small", "net-small", "net-small", "net-claims", "net-unbounded", "net-runs")
	}
	return draw.NewNet(d.Source, kind)
}

// netFile adds the net as a file and gives the program the flag.
func (d *drawing) netFile(n *draw.Net) {
	d.argue("--pnml", d.file(n.File, n.Text))
}

// markings returns how many markings of a net the twin looks at.
func markings(places int) int { return min(3000, 1+400000/max(1, places)) }

// orNot adds arguments with a probability, and else nothing.
func (d *drawing) orNot(probability float64, arguments ...string) {
	if d.Chance(probability) {
		d.argue(arguments...)
	}
}

// magnitudeText draws a number as text.
func (d *drawing) magnitudeText(a, b int) string {
	return fmt.Sprint(d.Magnitude(a, int(math.Min(float64(b), 1e9))))
}
