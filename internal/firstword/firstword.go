// Package firstword distinguishes texts that hold automata by the word that they begin with.
//
// In comes a stream; out go what it holds, and the same stream from its beginning. Next are
// packages hoa and dot; the one that fits reads it.
package firstword

import (
	"bufio"
	"io"
	"strings"
)

// Kind is what a stream of automata begins with.
type Kind int

// A stream can begin with these.
const (
	Nothing Kind = iota // no word, or one that begins neither of these
	HOA                 // an automaton in the Hanoi Omega-Automata format
	Drawing             // a graph in Graphviz's language
)

// byteOrderMark is U+FEFF in UTF-8, which some shells and editors put at the start of files.
const byteOrderMark = "\xef\xbb\xbf"

// commentBound is the size of comments up to which the first word is looked for behind
// them.
const commentBound = 1 << 16

// Of distinguishes drawings from automata in HOA by the first word behind a byte order mark,
// blanks and comments. The whole stream is then read from text. It waits for no more of r than it
// needs.
//
// For example, of "/* Spot */ digraph G {" it is digraph, and of "# by hand" and a next line
// "HOA: v1" it is HOA:. A pipe gives its text in parts. After the part "digr" the word is not
// known, as it may go on, and one more byte is waited for. After "digraph {" the word is
// known.
func Of(r io.Reader) (text io.Reader, first Kind) {
	b := bufio.NewReaderSize(r, commentBound)
	for n := 1; ; n = b.Buffered() + 1 {
		_, err := b.Peek(min(n, commentBound))
		seen, _ := b.Peek(b.Buffered())
		word, known := firstWord(string(seen), err != nil)
		switch {
		case known && strings.HasPrefix(word, "HOA:"):
			return b, HOA
		case known && (word == "digraph" || word == "strict"):
			return b, Drawing
		case known || err != nil || n > commentBound:
			return b, Nothing
		}
	}
}

// firstWord returns the first word of text, which may go on unless it is all; known is false
// if that may make it another one.
func firstWord(text string, all bool) (word string, known bool) {
	if strings.HasPrefix(byteOrderMark, text) {
		return text, all
	}
	text = strings.TrimPrefix(text, byteOrderMark)
	for {
		text = strings.TrimLeft(text, " \t\r\n\f\v")
		begin, end := 2, "\n"
		switch {
		case strings.HasPrefix(text, "/*"):
			end = "*/"
		case strings.HasPrefix(text, "#"):
			begin = 1
		case strings.HasPrefix(text, "//"):
		case text == "" || text == "/":
			return text, all
		default:
			i := strings.IndexAny(text, " \t\r\n\f\v{\"/")
			if i < 0 {
				return text, all || len(text) > len("digraph") || strings.HasPrefix(text, "HOA:")
			}
			return text[:i], true
		}
		_, after, closed := strings.Cut(text[begin:], end)
		if !closed {
			return "", all
		}
		text = after
	}
}
