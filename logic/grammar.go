package logic

import (
	"errors"
	"strings"
	"unicode"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"pnmc/logic/internal/reading"
)

// The grammar of propositions and of CTL, from what binds least to what binds most. Formulas
// and numbers share it, so a parenthesis need not be read twice to learn which of the two it
// holds. The meaning of a tree is decided when names are resolved. The Boolean connectives
// are those of package reading. The tokens of CTL come from a temporal lexer only, so that a
// proposition has none of them.

// The Boolean connectives over comparisons, which may be negated.
type (
	phrase      = reading.Implication[negation]
	disjunction = reading.Disjunction[negation]
	exclusive   = reading.Exclusive[negation]
	conjunction = reading.Conjunction[negation]
)

// negation is a comparison behind any number of negations and, in CTL, of pairs
// of a path quantifier and a temporal operator, such as EF.
type negation struct {
	Pos      lexer.Position
	Prefixes []string    `parser:"@('!' | Path)*"`
	Operand  *comparison `parser:"@@"`
}

// comparison is two sums, or one without an operator.
type comparison struct {
	Pos      lexer.Position
	Left     *sum   `parser:"@@"`
	Operator string `parser:"( @Comparison"`
	Right    *sum   `parser:"@@ )?"`
}

// sum is summands joined by + and -, from the left.
type sum struct {
	Pos   lexer.Position
	First *product   `parser:"@@"`
	Rest  []*summand `parser:"@@*"`
}

type summand struct {
	Pos     lexer.Position
	Sign    string   `parser:"@('+' | '-')"`
	Operand *product `parser:"@@"`
}

// product is factors joined by *.
type product struct {
	Pos     lexer.Position
	Factors []*factor `parser:"@@ ('*' @@)*"`
}

// factor is what stands by itself; one of the fields after Minuses is set.
type factor struct {
	Pos      lexer.Position
	Minuses  []string     `parser:"@'-'*"`
	Integer  string       `parser:"( @Integer"`
	Constant string       `parser:"| @Constant"`
	Call     *call        `parser:"| @@"`
	Place    *name        `parser:"| ( @@"`
	Fireable string       `parser:"    @'?'? )"` // Place is a transition
	Paths    *paths       `parser:"| @@"`
	Group    *phrase      `parser:"| '(' @@ ')' )"`
	Look     reading.Look `parser:"@@"`
}

// paths is a path quantifier with what it says of paths in parentheses or
// brackets: A(p U q) or E[F p]. U binds less than any connective there. As in
// verifypn it may also stand between two parentheses: A (p) U (q).
type paths struct {
	Pos        lexer.Position
	Quantifier string    `parser:"@Quantifier ('(' | '[')"`
	Temporal   string    `parser:"( ( @Temporal"`
	Operand    *negation `parser:"    @@ (')' | ']') )"`
	Left       *phrase   `parser:"| ( @@"`
	Until      string    `parser:"    ( ( @Until"`
	Right      *phrase   `parser:"        @@ (')' | ']') )"`
	Between    string    `parser:"    | ( Between @Until"`
	Behind     *negation `parser:"        @@ ) ) ) )"`
}

// call is a function of places or transitions.
type call struct {
	Pos      lexer.Position
	Function string  `parser:"@Function"`
	Names    []*name `parser:"'(' @@ (',' @@)* ')'"`
}

type name struct {
	Pos  lexer.Position
	Text string       `parser:"@(Name | Quoted)"`
	Look reading.Look `parser:"@@"`
}

var predicateGrammar = reading.Grammar[phrase]{Symbols: predicateSymbols{}}

// PredicateParser reads propositions.
type PredicateParser struct {
	Vocabulary Vocabulary
	Limit      Limit // of reading one
	// Hidden, if set, is called with the name of a place that a text has as a word or a
	// number of the language, which hides the place.
	Hidden func(place string)
}

// Parse parses as ParsePredicate does, within the limit, whose error is a *LimitError.
func (p PredicateParser) Parse(text string) (*Predicate, error) {
	return p.parse(text, reading.WholeText)
}

// ParsePredicate reads one proposition and resolves its names in v.
//
// A proposition compares sums and products of token counts (p1 + 2*p2*p3 <= tokens(q,r) - 1),
// asks for transitions (fireable(t,u)) or for a deadlock (deadlock), or joins
// propositions with ! & | -> <-> xor in their usual spellings; true and false
// are propositions, and so is a place by itself, which stands for p >= 1.
// tokens-count and is-fireable mean tokens and fireable.
//
// Names of places and transitions come in double quotes, single quotes or none.
// Without quotes they consist of letters, digits and _ . : @ # $ [ ], with or
// without a backslash before a mark. A hyphen belongs to a name if the word with
// it is a known name, and subtracts if not. Words of the language name a place
// in quotes or between the parentheses of tokens(…), as do numbers. A text that
// is, as a whole, the name of a place means this place, unless it is a word of
// the language.
//
// A name that stands for several places means the sum of their tokens; one that
// stands for several transitions means any of them. An error is a *SyntaxError.
func ParsePredicate(text string, v Vocabulary) (*Predicate, error) {
	return PredicateParser{Vocabulary: v}.Parse(text)
}

// parse parses a text at o.
func (p PredicateParser) parse(text string, o reading.Origin) (*Predicate, error) {
	return reading.At(o, text, p.parseText)
}

// parseText tries the text as the name of a place first, then parses it, and resolves names in
// the tree.
func (p PredicateParser) parseText(text string) (*Predicate, error) {
	if places, err := wholePlaces(text, p.Vocabulary, p.Limit); err != nil || len(places) > 0 {
		if err != nil {
			return nil, err
		}
		return marked(places)
	}
	tree, err := parseTree(&predicateLexer{text: text, vocabulary: p.Vocabulary, limit: p.Limit})
	if err != nil {
		return nil, err
	}
	r := resolver{vocabulary: p.Vocabulary, limit: p.Limit, hidden: p.Hidden}
	return r.phrase(tree)
}

// wholePlaces returns the places that text as a whole names, which no word of the
// language does.
func wholePlaces(text string, v Vocabulary, limit Limit) ([]uint32, error) {
	whole := strings.TrimFunc(text, unicode.IsSpace)
	if _, isWord := words.Get()[whole]; isWord || whole == "" {
		return nil, nil
	}
	places := v.Places(whole)
	return places, limit.Charge(lookedUp(whole, places) + copiesOfTerms*termBytes*len(places))
}

// parseTree parses the text of l.
func parseTree(l *predicateLexer) (*phrase, error) {
	l.position, l.open = lexer.Position{Line: 1, Column: 1}, []place{{}}
	if err := l.scan(); err != nil {
		return nil, err
	}
	tree, err := predicateGrammar.Parse(l, len(l.tokens), l.limit)
	if err != nil {
		return nil, l.explain(err)
	}
	return tree, nil
}

// explain makes of an error of the grammar one that says what was expected.
func (l *predicateLexer) explain(err error) error {
	var parse participle.Error
	if !errors.As(err, &parse) {
		return err
	}
	at := parse.Position()
	var unexpected *participle.UnexpectedTokenError
	if !errors.As(err, &unexpected) {
		return reading.ErrorAt(at, "%s", parse.Message())
	}
	before, inside := lexer.Token{}, []place{{}}
	for _, t := range l.tokens {
		if t.Pos.Offset >= at.Offset {
			break
		}
		inside = enter(inside, before, t)
		before = t
	}
	found := "end"
	if end := strings.IndexFunc(l.text[at.Offset:], unicode.IsSpace); unexpected.Unexpected.Type != lexer.EOF {
		found = l.text[at.Offset:]
		if end >= 0 {
			found = found[:end]
		}
		for i, t := range l.tokens {
			if t.Pos.Offset == at.Offset && l.tokens[i+1].Pos.Offset < at.Offset+len(found) {
				found = l.text[at.Offset:l.tokens[i+1].Pos.Offset]
			}
		}
		found = `"` + strings.TrimRightFunc(found, unicode.IsSpace) + `"`
	}
	told := reading.ErrorAt(at, "unexpected %s; expected %s", found, l.expected(before, inside[len(inside)-1]))
	if word := strings.Trim(found, `"`); words.Get()[word].value != "" && l.vocabulary.Places(word) != nil {
		return hiddenBy(told, word)
	}
	return told
}

// place is what the innermost open parenthesis or bracket holds.
type place struct {
	closer   string // empty outside of all
	function bool   // names of a function
	paths    bool   // what a path quantifier says of paths
	temporal bool   // of these, an operand behind X, F or G
	until    bool   // of these, the right operand of U, R, W or M
}

// enter follows the parentheses open: token comes, and before came last.
func enter(inside []place, before, token lexer.Token) []place {
	last := len(inside) - 1
	switch {
	case token.Type == untilToken && before.Type != betweenToken:
		inside[last].until = true
	case token.Type == betweenToken:
		return inside[:last]
	case token.Type == temporalToken:
		inside[last].temporal = true
	case token.Type != operatorToken:
	case token.Value == "(" || token.Value == "[":
		closer := ")"
		if token.Value == "[" {
			closer = "]"
		}
		return append(inside, place{closer: closer, function: before.Type == functionToken, paths: before.Type == quantifierToken})
	case last > 0 && token.Value == inside[last].closer:
		return inside[:last]
	}
	return inside
}

// expected describes what may follow the token before, at a place.
func (l *predicateLexer) expected(before lexer.Token, at place) string {
	operand := endsOperand(before)
	closer := `"` + at.closer + `"`
	switch {
	case at.function && operand:
		return `"," or ")"`
	case at.function:
		return "a name"
	case operand && at.temporal:
		return closer
	case operand && at.paths && !at.until:
		return "U, R, W, M or an operator"
	case operand && at.closer != "":
		return "an operator or " + closer
	case operand:
		return "an operator or the end"
	case before.Type == quantifierToken:
		return `X, F, G, "(" or "["`
	case l.temporal:
		return OperandOfFormula
	default:
		return OperandOfPredicate
	}
}

// What messages expect where an operand of a state predicate, or of a formula of CTL, may
// begin.
const (
	OperandOfPredicate = `a place, a number, "(", tokens(…), fireable(…), deadlock, true, false or !`
	OperandOfFormula   = `a place, a number, "(", tokens(…), fireable(…), deadlock, true, false, or one of ! EX EF EG AX AF AG E( A(`
)
