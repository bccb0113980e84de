// Package comparing has the commands that compare automata with one another: each of a stream
// with each of another (intersect, include, equivalent), and those that translators make of the
// same formulas (cross).
//
// In come command lines, out go rows, reports and exit codes. What is compared, and how, is in
// pnmc/automata/emptiness, pnmc/automata/inclusion and pnmc/cross.
package comparing

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"unsafe"

	"github.com/urfave/cli/v2"

	"pnmc/automata"
	"pnmc/automata/complement"
	"pnmc/automata/emptiness"
	"pnmc/automata/inclusion"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/input"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/progress"
	"pnmc/cmd/pnmc/internal/told"
	"pnmc/cmd/pnmc/internal/wording"
	"pnmc/internal/jsontext"
	"pnmc/petri"
)

// Intersection returns what intersect asks: whether both automata accept a word.
func Intersection() Comparison {
	return Comparison{
		description: "With --word, a word is shown of each pair that has one.",
		limit:       "none", exists: true,
		compare: func(o inclusion.Options, limit int, word bool, a, b *automata.Automaton) (bool, *automata.Lasso, error) {
			r, err := emptiness.Intersect(emptiness.Explicit(a), emptiness.Explicit(b),
				emptiness.Options{Context: o.Context, MaxPairs: limit, Word: word})
			return r.Nonempty, r.Word, err
		},
	}
}

// Containment returns what include asks: whether the second automaton accepts all words of the first.
func Containment() Comparison {
	return Comparison{
		limit: strconv.Itoa(inclusion.DefaultComplementLimit),
		flags: []cli.Flag{complementFlag()},
		description: "A 1 tells that all words of the automaton of the first stream are accepted by the\n" +
			"one of the second. With --word, a word is shown for each 0, that only the first accepts. Automata that\n" +
			"aren't deterministic are complemented, which may need many states: see --limit,\n" +
			"and --complement; and a condition with a disjunctive form of up to 4096 disjuncts.",
		compare: byComplement(inclusion.Included),
	}
}

// Equivalence returns what equivalent asks: whether both automata accept the same words.
func Equivalence() Comparison {
	return Comparison{
		limit: strconv.Itoa(inclusion.DefaultComplementLimit),
		flags: []cli.Flag{complementFlag(), &cli.StringFlag{
			Name: "first-complement", TakesFile: true,
			Usage: "likewise, from `FILE`, for each of the first stream",
		}},
		description: "With --word, a word is shown for each 0, that only one of the two accepts. Automata that aren't\n" +
			"deterministic are complemented, which may need many states: see --limit, and\n" +
			"--complement; and a condition with a disjunctive form of up to 4096 disjuncts.",
		compare: byComplement(inclusion.Equivalent),
	}
}

// pairTest says yes or no to a pair of automata, with a word if it has one and word asks for it.
type pairTest func(o inclusion.Options, limit int, word bool, a, b *automata.Automaton) (bool, *automata.Lasso, error)

// byComplement returns a test whose limit is that of the states of a complement.
func byComplement(test func(a, b *automata.Automaton, o inclusion.Options) (inclusion.Inclusion, error)) pairTest {
	return func(o inclusion.Options, limit int, _ bool, a, b *automata.Automaton) (bool, *automata.Lasso, error) {
		o.Limit = limit
		r, err := test(a, b, o)
		return r.Holds, r.Word, err
	}
}

func complementFlag() cli.Flag {
	return &cli.StringFlag{
		Name: "complement", TakesFile: true,
		Usage: "read from `FILE` an automaton of the complement, such as that of the negated formula, for each of the second stream; it must have no word in common with it, is tried on random words, and trusted beyond that",
	}
}

// Comparison is a question about two automata, asked of each of one stream with each of another.
type Comparison struct {
	description string
	limit       string // without --limit
	flags       []cli.Flag
	// exists: the command as a whole says yes if some pair does, not if all do.
	exists  bool
	compare pairTest
}

// TwoStreams are the arguments of a comparison, as help shows them.
const TwoStreams = " [options] FIRST.hoa SECOND.hoa     (- is standard input)"

// Text returns the description of a comparison: what all three have, and its own sentences.
func (k Comparison) Text() string {
	return "Reads two streams of automata in the Hanoi Omega-Automata format, with any acceptance\n" +
		"conditions, or drawn by Spot's ltl2tgta, and prints a line for each automaton of the first, with a character for\n" +
		"each of the second: 1 for yes, 0 for no, ? if the time or size limit was reached or the\n" +
		"automaton can't be used. A stream without automata is bad input.\n\n" + k.description
}

// Flags returns the flags of a comparison: its own, and those that all three have.
func (k Comparison) Flags() []cli.Flag {
	return append(append(slices.Clone(k.flags),
		&cli.BoolFlag{Name: "word", Usage: "show words"},
		input.SetsFlag(),
		input.StrictFlag(),
		told.FormatFlag(),
		&cli.IntFlag{Name: "limit", Usage: "give a pair up at `N` states, of the product or of a complement", DefaultText: k.limit},
		limits.TimeoutFlag(" (each pair has it anew)"),
		limits.MemoryFlag(),
	), progress.Flags()...)
}

// streams is a run of a comparison.
//
// The answer to a pair does not depend on other pairs. So an automaton that cannot be used, or a
// pair that takes too long, costs one character of a row. The exit code sums all of them up, by
// yes, no, unknown and bad.
type streams struct {
	Comparison
	*progress.Messenger
	c      *cli.Context
	budget petri.Budget
	out    *bufio.Writer
	second []*automata.Automaton // nil: one that can't be used

	// Complements of the automata of both streams, where given.
	firstComplements, secondComplements []*automata.Automaton

	examined map[complementOf]error // what was found out about complements
	told     int                    // pairs that are unknown
	whole    int                    // rows that no interruption cut short

	keptWords int64 // bytes of the words of the row
	unshown   int   // words that are not shown

	yes, no, unknown, bad bool
}

// complementOf is an automaton with what was given as its complement.
type complementOf struct{ automaton, complement *automata.Automaton }

// toldReasons is how many reasons for ? are printed.
const toldReasons = 10

// comparedPair is the object that is printed for a pair as JSON.
type comparedPair struct {
	First  int    `json:"first"` // from 1
	Second int    `json:"second"`
	Answer *bool  `json:"answer"` // null: unknown
	Reason string `json:"reason,omitempty"`

	word *automata.Lasso // or nil; the last key
}

// Run keeps the second stream in memory, and reads the first one automaton by automaton: each
// is compared with all of the second stream, and its row of 1, 0 and ? is printed before the next
// one is read.
func (k Comparison) Run(c *cli.Context) error {
	if c.NArg() != 2 {
		return exit.UsageError("%s: expected two files of automata, found %d arguments", c.Command.Name, c.NArg())
	}
	if err := told.CheckFormat(c); err != nil {
		return err
	}
	if c.Int("limit") < 0 {
		return exit.UsageError("--limit: expected a number of states, found %d", c.Int("limit"))
	}
	budget, err := limits.Budget(c)
	if err != nil {
		return err
	}
	first, second := c.Args().Get(0), c.Args().Get(1)
	if first == "-" && second == "-" || (first == "-" || second == "-") && (c.String("complement") == "-" || c.String("first-complement") == "-") {
		return exit.UsageError("only one file of automata can be standard input")
	}
	r := &streams{Comparison: k, Messenger: progress.NewMessenger(c), c: c, budget: budget, out: bufio.NewWriter(c.App.Writer), examined: map[complementOf]error{}}
	defer r.TellRepeated()
	for _, x := range []struct {
		path string
		to   *[]*automata.Automaton
	}{
		{second, &r.second},
		{c.String("complement"), &r.secondComplements},
		{c.String("first-complement"), &r.firstComplements},
	} {
		if x.path == "" {
			continue
		}
		err := r.forEachAutomaton(x.path, func(a *automata.Automaton) error {
			*x.to = append(*x.to, a)
			return nil
		})
		if err != nil {
			return err
		}
	}
	row := 0
	err = r.forEachAutomaton(first, func(a *automata.Automaton) error {
		row++
		return r.row(row, a)
	})
	if err != nil {
		return err
	}
	if c.Context.Err() != nil {
		r.Say("interrupted: %s compared with all of the second stream, the rest is missing or unknown", wording.Counted(r.whole, "automaton is", "automata are"))
	}
	if more := r.told - toldReasons; more > 0 {
		r.Say("%d more pairs of automata: unknown", more)
	}
	if more := r.unshown - toldReasons; more > 0 {
		r.Say("%d more words are not shown", more)
	}
	return r.outcome()
}

// forEachAutomaton gives use each automaton of a stream, nil for one that can't be
// used, which is reported.
func (r *streams) forEachAutomaton(path string, use func(*automata.Automaton) error) error {
	return input.WithFile(r.c, path, func(stream io.Reader, file string) error {
		for reader := input.NewAutomatonReader(r.c, "hoa", stream, file); r.c.Context.Err() == nil; {
			a, err := reader.Read()
			if err == io.EOF || err != nil && r.c.Context.Err() != nil {
				return nil // what there is was compared
			}
			input.WarnOf(r.Messenger, reader)
			if err != nil && !input.Skippable(err) {
				return err
			}
			if err != nil {
				r.bad = true
				r.Fail("%v", err)
				a = nil
			}
			if input.IsGarbage(err) {
				continue
			}
			if a != nil {
				if plain, limited, err := r.plain(a); err != nil {
					r.unknown, r.bad = r.unknown || limited, r.bad || !limited
					at := reader.Position()
					r.Fail("%s:%d:%d: %v", file, at.Line, at.Column, err)
					a = nil
				} else {
					a = plain
				}
			}
			if err := use(a); err != nil {
				return err
			}
		}
		return nil
	})
}

// limited returns a context with the limits of a pair, or of an automaton that is read.
func (r *streams) limited() (context.Context, context.CancelFunc) {
	timed, cancel := limits.WithTimeout(r.c)
	ctx, cancelMemory := limits.WithinMemory(timed, r.budget)
	return ctx, func() { cancelMemory(); cancel() }
}

// plain returns an automaton that reads valuations, a itself if it is plain. It has the time of a pair
// for that. limited reports whether an error is that of a limit.
func (r *streams) plain(a *automata.Automaton) (plain *automata.Automaton, limited bool, err error) {
	if a.Kind == automata.Plain {
		return a, false, nil
	}
	ctx, cancel := r.limited()
	defer cancel()
	plain, err = automata.ReadingValuations(ctx, a)
	if err != nil && ctx.Err() != nil {
		return nil, true, context.Cause(ctx)
	}
	return plain, errors.Is(err, automata.ErrTooManyChanges), err
}

// row compares one automaton with all of the second stream.
//
// For example, of a second stream with four automata the line is 10?1. With --word it may be
// followed by
//
//	# 2 1: a; cycle{!a}
//
// which is a word for the second automaton of the first stream and the first one of the second.
func (r *streams) row(number int, a *automata.Automaton) error {
	line := make([]byte, len(r.second))
	var words []comparedPair
	r.keptWords = 0
	for i, b := range r.second {
		end := r.During(fmt.Sprintf("automata %d and %d", number, i+1), "comparing")
		p := r.pair(a, b, inclusion.Options{
			Complement: nth(r.secondComplements, i), FirstComplement: nth(r.firstComplements, number-1),
		})
		end()
		p.First, p.Second = number, i+1
		line[i] = '?'
		if p.Answer != nil {
			line[i] = '0'
			if *p.Answer {
				line[i] = '1'
			}
		}
		if p.Reason != "" && p.Answer != nil {
			if r.unshown++; r.unshown <= toldReasons {
				r.Say("automata %d and %d: %s", p.First, p.Second, p.Reason)
			}
		}
		if r.c.String("format") == "json" {
			if err := p.writeJSON(r.out); err != nil {
				return err
			}
			r.keptWords = 0
			continue
		}
		if p.Reason != "" && p.Answer == nil {
			if r.told++; r.told <= toldReasons {
				r.Say("automata %d and %d: unknown: %s", p.First, p.Second, p.Reason)
			}
		}
		if p.word != nil {
			words = append(words, p)
		}
	}
	if r.c.String("format") != "json" {
		fmt.Fprintf(r.out, "%s\n", line)
		for _, p := range words {
			fmt.Fprintf(r.out, "# %d %d: ", p.First, p.Second)
			p.word.WriteTo(r.out) // Flush has the first error
			fmt.Fprintln(r.out)
		}
	}
	if r.c.Context.Err() == nil {
		r.whole++
	}
	return r.out.Flush()
}

// writeJSON writes the object of a pair on a line. The word is written letter by letter.
func (p *comparedPair) writeJSON(w io.Writer) error {
	if p.word == nil {
		return json.NewEncoder(w).Encode(p)
	}
	head, err := json.Marshal(p)
	if err != nil {
		return err
	}
	j := jsontext.New(w, true)
	j.Raw(string(head[:len(head)-1]) + `,"word":`)
	j.StringBy(p.writeWord)
	j.Raw("}\n")
	return j.Flush()
}

// writeWord writes the word.
func (p *comparedPair) writeWord(w io.Writer) error {
	_, err := p.word.WriteTo(w)
	return err
}

// wordsShare is the part of the memory that the words may take which wait for the end of a row.
const wordsShare = 8

// errManyWords is why a word is not shown.
var errManyWords = errors.New("the words of the row take an eighth of the memory limit")

// show gives the pair its word, if that can be written within what is left of the limits, which ctx
// carries, and else the reason why it is not shown.
func (r *streams) show(ctx context.Context, p *comparedPair, word *automata.Lasso) {
	p.word = word
	letters := len(word.Prefix) + len(word.Cycle)
	r.keptWords += int64(letters) * (letterBytes + 8*int64(automata.WordsFor(len(word.Propositions))))
	err := limits.Fits(ctx, p.writeWord)
	if most := r.budget.MemoryBytes / wordsShare; err == nil && most > 0 && r.keptWords > most {
		err = errManyWords
	}
	if err != nil {
		p.word, p.Reason = nil, fmt.Sprintf("no word is shown: %v", err)
	}
}

// letterBytes is what a letter takes, without its valuation.
const letterBytes = int64(unsafe.Sizeof(automata.Valuation{}))

// nth returns the element at i, or nil if there is none.
func nth(list []*automata.Automaton, i int) *automata.Automaton {
	if i < len(list) {
		return list[i]
	}
	return nil
}

// pair compares two automata.
func (r *streams) pair(a, b *automata.Automaton, o inclusion.Options) comparedPair {
	if a == nil || b == nil {
		return comparedPair{Reason: "an automaton can't be used"}
	}
	ctx, cancel := r.limited()
	defer cancel()
	o.Context = ctx
	var yes bool
	var word *automata.Lasso
	err := r.examine(ctx, b, o.Complement)
	if err == nil {
		err = r.examine(ctx, a, o.FirstComplement)
	}
	if err == nil {
		yes, word, err = r.compare(o, r.c.Int("limit"), r.c.Bool("word"), a, b)
	}
	if err != nil {
		// Limits and interrupts leave it open. Other errors, as of a given complement, are bad input.
		r.unknown = true
		if !errors.Is(err, emptiness.ErrTooManyPairs) && !errors.Is(err, emptiness.ErrTooManyEdges) && !errors.Is(err, complement.ErrTooLarge) && !errors.Is(err, complement.ErrConditionTooLarge) && ctx.Err() == nil {
			r.bad = true
		}
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return comparedPair{Reason: err.Error()}
	}
	r.yes, r.no = r.yes || yes, r.no || !yes
	p := comparedPair{Answer: &yes}
	if word != nil && r.c.Bool("word") {
		r.show(ctx, &p, word)
	}
	return p
}

// examine reports what is wrong with a complement; nothing if none was given. It finds
// out once, unless the time does not suffice.
func (r *streams) examine(ctx context.Context, a, complement *automata.Automaton) error {
	if complement == nil {
		return nil
	}
	key := complementOf{a, complement}
	err, known := r.examined[key]
	if !known {
		if err = inclusion.ExamineComplement(ctx, a, complement); ctx.Err() == nil {
			r.examined[key] = err
		}
	}
	return err
}

// outcome returns the exit code that the answers lead to.
func (r *streams) outcome() error {
	switch {
	case r.bad:
		return exit.With(exit.Input, nil)
	case r.exists && r.yes:
		return nil
	case !r.exists && r.no:
		return exit.With(exit.Violated, nil)
	case r.unknown || r.c.Context.Err() != nil:
		return exit.With(exit.Unknown, nil)
	case r.exists:
		return exit.With(exit.Violated, nil)
	}
	return nil
}
