package smtlib

import (
	"bufio"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Expression is what a solver writes: a word, or a list in parentheses.
type Expression struct {
	Word   string
	List   []Expression
	IsList bool
}

// Limits on one answer. A model of ten thousand places takes less than half a megabyte.
const (
	maxAnswer  = 8 << 20 // bytes, of which a word takes some for itself as well
	maxNesting = 100
)

// reader reads expressions within the limits.
type reader struct {
	text *bufio.Reader
	left int // bytes that the answer may have
}

// read reads one expression. The error says that there is none, or one that is too large.
func (r *reader) read(nesting int) (Expression, error) {
	b, err := r.skip()
	switch {
	case err != nil:
		return Expression{}, err
	case nesting > maxNesting:
		return Expression{}, fmt.Errorf("more than %d parentheses in one another", maxNesting)
	case b == ')':
		return Expression{}, errors.New("a parenthesis that nothing opens")
	case b == '"':
		return r.quoted('"')
	case b == '|':
		return r.quoted('|')
	case b != '(':
		return r.word(b)
	}
	list := Expression{IsList: true}
	for {
		if b, err = r.skip(); err != nil {
			return Expression{}, err
		}
		if b == ')' {
			return list, nil
		}
		if err := r.text.UnreadByte(); err != nil {
			return Expression{}, err
		}
		r.left -= 64 // what an expression takes beside its text
		e, err := r.read(nesting + 1)
		if err != nil {
			return Expression{}, err
		}
		list.List = append(list.List, e)
	}
}

// next returns the next byte.
func (r *reader) next() (byte, error) {
	if r.left--; r.left < 0 {
		return 0, fmt.Errorf("an answer of more than %d bytes", maxAnswer)
	}
	return r.text.ReadByte()
}

// skip returns the next byte that is neither white space nor in a comment.
func (r *reader) skip() (byte, error) {
	for comment := false; ; {
		b, err := r.next()
		switch {
		case err != nil:
			return 0, err
		case b == '\n':
			comment = false
		case b == ';':
			comment = true
		case !comment && !strings.ContainsRune(" \t\r", rune(b)):
			return b, nil
		}
	}
}

// word reads a word that begins with first.
func (r *reader) word(first byte) (Expression, error) {
	text := []byte{first}
	for {
		b, err := r.next()
		if err != nil {
			return Expression{}, err
		}
		if strings.ContainsRune(" \t\r\n", rune(b)) {
			return Expression{Word: string(text)}, nil
		}
		if b == '(' || b == ')' || b == ';' || b == '"' {
			return Expression{Word: string(text)}, r.text.UnreadByte()
		}
		text = append(text, b)
	}
}

// quoted reads up to the quote that ends a text.
func (r *reader) quoted(quote byte) (Expression, error) {
	var text []byte
	for {
		b, err := r.next()
		if err != nil {
			return Expression{}, err
		}
		if b == quote {
			return Expression{Word: string(text)}, nil
		}
		text = append(text, b)
	}
}

// Integer returns the integer that e is, such as 5 or (- 5). It reports false if e is none of 64 bits.
func (e Expression) Integer() (int64, bool) {
	text, sign := e.Word, ""
	if e.IsList {
		if len(e.List) != 2 || e.List[0].Word != "-" || e.List[1].IsList || strings.HasPrefix(e.List[1].Word, "-") {
			return 0, false
		}
		text, sign = e.List[1].Word, "-"
	}
	n, err := strconv.ParseInt(sign+text, 10, 64)
	return n, err == nil
}

// isLarge reports whether e is an integer, of any size.
func (e Expression) isLarge() bool {
	if e.IsList {
		return len(e.List) == 2 && e.List[0].Word == "-" && !e.List[1].IsList && e.List[1].isLarge()
	}
	return e.Word != "" && strings.Trim(e.Word, "0123456789") == ""
}

// String writes e as it may have been read, shortened.
func (e Expression) String() string {
	const longest = 200
	var text strings.Builder
	var write func(e Expression)
	write = func(e Expression) {
		if text.Len() > longest {
			return
		}
		if !e.IsList {
			text.WriteString(e.Word[:min(len(e.Word), longest)])
			return
		}
		text.WriteByte('(')
		for i, x := range e.List {
			if i > 0 {
				text.WriteByte(' ')
			}
			write(x)
		}
		text.WriteByte(')')
	}
	write(e)
	return text.String()
}
