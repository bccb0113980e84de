package dot

import (
	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// graph is as much of Graphviz's language as testing automata are drawn with.
type graph struct {
	Statements []*statement `parser:"'digraph' (Name | Number | String)? '{' (@@ ';'?)* '}'"`
}

// statement is a node, an edge if To is set, an attribute of the whole graph if
// Value is, or defaults for all nodes or edges.
type statement struct {
	Pos        lexer.Position
	From       string       `parser:"@(Name | Number | String)"`
	To         string       `parser:"( '->' @(Name | Number | String)"`
	Value      string       `parser:"| '=' @(Name | Number | String) )?"`
	Attributes []*attribute `parser:"('[' @@* ']')*"`
}

type attribute struct {
	Pos   lexer.Position
	Name  string `parser:"@Name '='"`
	Value string `parser:"@(Name | Number | String) (',' | ';')?"`
}

var graphParser = participle.MustBuild[graph](
	participle.Lexer(lexer.MustSimple([]lexer.SimpleRule{
		{Name: "blank", Pattern: `[\s]+|//[^\n]*|#[^\n]*|/\*([^*]|\*+[^*/])*\*+/`},
		{Name: "Arrow", Pattern: `->`},
		{Name: "Number", Pattern: `-?[0-9]*\.?[0-9]+`},
		{Name: "Name", Pattern: `[\pL_][\pL\pN_]*`},
		{Name: "String", Pattern: `"(\\[\s\S]|[^"\\])*"`},
		{Name: "Symbol", Pattern: `[\[\]{}=,;]`},
	})),
)

// formula is a Boolean formula of propositions as Spot prints it, in ASCII or
// with mathematical symbols. Its precedence, falling: ! & |.
type formula struct {
	Operands []*formulaConjunction `parser:"@@ ( ('|' | '||' | '∨') @@ )*"`
}

type formulaConjunction struct {
	Operands []*formulaAtom `parser:"@@ ( ('&' | '&&' | '∧') @@ )*"`
}

type formulaAtom struct {
	Negations []string `parser:"@('!' | '¬')*"`
	Group     *formula `parser:"( '(' @@ ')'"`
	Constant  string   `parser:"| @Constant"`
	Name      string   `parser:"| @(Name | Quoted) )"`
}

// changesetText is a set of propositions that change.
type changesetText struct {
	Members []string `parser:"'{' ( @(Name | Quoted) ( ',' @(Name | Quoted) )* )? '}'"`
}

var (
	labelLexer = lexer.MustSimple([]lexer.SimpleRule{
		{Name: "blank", Pattern: `\s+`},
		{Name: "Quoted", Pattern: `"(\\[\s\S]|[^"\\])*"`},
		{Name: "Constant", Pattern: `[01]`},
		{Name: "Name", Pattern: `[\pL_.][\pL\pN_.]*`},
		{Name: "Symbol", Pattern: `\|\||&&|[|&!(){},∨∧¬]`},
	})
	formulaParser   = participle.MustBuild[formula](participle.Lexer(labelLexer))
	changesetParser = participle.MustBuild[changesetText](participle.Lexer(labelLexer))
)
