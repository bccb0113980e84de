package input

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/petri"
)

// readLook is how many bytes are read between two looks at the memory in use. Of the shortest
// elements and edges some fifty times as much is made, which is then 12 MB.
const readLook = 256 << 10

// A budgetReader ends with a *petri.MemoryError when what is made of its text has used up
// the budget: nothing would be left to work with. It ends with a *readTimeError when
// reading takes too long. Waiting for the text does not count: whoever writes into a pipe
// may take their time.
//
// A parser has no context, and asks nobody while it makes a tree of a text. But it reads, so the
// reader can stop it. What the reader then says is the reason, whatever error the parser makes of
// it (failed). Time is measured from the end of one Read to the beginning of the next, which is
// when the parser works; the time within Read is waiting. A parser that reads the whole text first
// and then works is asked by reserve, which it calls as a logic.Limit.
type budgetReader struct {
	ctx    context.Context
	r      io.Reader
	budget petri.Budget
	limit  time.Duration // of work; 0: none
	work   time.Duration
	left   time.Time // when the last read ended
	read   int       // since the last look
	failed error     // why reading ended, if not at the end of r
	whole  bool      // the text is kept as a whole, which is copied when it grows
	total  int       // bytes read
	made   int       // of the text, in bytes, since the last look
}

// look finds out whether there is memory for what is read next. A text that is kept as a
// whole is copied when it has outgrown its place, to one that is a quarter larger.
func (b *budgetReader) look() error {
	if !b.whole {
		return b.budget.Poll(b.ctx)
	}
	a := account.New(b.budget)
	a.Begin(b.ctx)
	return a.Reserve(b.total/4*5 + readLook)
}

// reserve asks for the bytes that are made of a text that was read as a whole. It is a logic.Limit,
// and looks for memory and time once in madeLook bytes.
func (b *budgetReader) reserve(bytes int) error {
	if b.failed != nil && b.failed != io.EOF {
		return b.failed
	}
	if b.made += bytes; b.made < madeLook {
		return nil
	}
	a := account.New(b.budget)
	a.Begin(b.ctx)
	b.failed = a.Reserve(b.made)
	b.made = 0
	if b.failed == nil && b.limit > 0 && b.worked() > b.limit {
		b.failed = &readTimeError{b.limit}
	}
	return b.failed
}

// OnePart returns a limit like that of LimitOf for what is made of one part of such a text, such as a property of its file. A part for
// which there is no memory ends alone: it is given up, and there may be room for the next one. With the time the whole text ends.
func OnePart(r io.Reader) logic.Limit {
	text, ok := r.(*budgetReader)
	if !ok {
		return nil
	}
	var full error // of this part
	return func(bytes int) error {
		if full == nil {
			before := text.failed
			if full = text.reserve(bytes); full != nil && errors.As(full, new(*petri.MemoryError)) {
				text.failed = before
			}
		}
		return full
	}
}

// madeLook is how many bytes are made of a text between two looks.
const madeLook = 1 << 20

// LimitOf returns the limit of what is made of the text of a file that WithText opened.
func LimitOf(r io.Reader) logic.Limit {
	if text, ok := r.(*budgetReader); ok {
		return text.reserve
	}
	return nil
}

// WithArgument lets use read a text of a flag or an argument, within the limits of reading. It is short, but
// some formulas are far longer than their texts. Place is what messages call it. Where the limit ends use,
// it is unknown what the text says; other errors stay.
func WithArgument(c *cli.Context, place string, use func(limit logic.Limit) error) error {
	budget, err := limits.Budget(c)
	if err != nil {
		return err
	}
	text := &budgetReader{ctx: limits.Whole(c), budget: budget, limit: c.Duration("timeout")}
	text.begin()
	defer func() { limits.AllowanceOf(c).Gone += text.worked() }()
	err = use(text.reserve)
	var over *logic.LimitError
	if errors.As(err, &over) {
		return exit.With(exit.Unknown, fmt.Errorf("%s: %w while it was read", place, over.Err))
	}
	return err
}

// A keeper keeps what is read, and ends when there is no memory for it.
type keeper struct {
	r       io.Reader
	account *account.Account
	text    []byte
}

// Read reads, and keeps what it has read.
func (k *keeper) Read(p []byte) (int, error) {
	n, err := k.r.Read(p)
	if full := account.Room(k.account, k.text, n); full != nil {
		return 0, full
	}
	k.text = append(k.text, p[:n]...)
	return n, err
}

// readTimeError says that reading took too long.
type readTimeError struct{ limit time.Duration }

func (e *readTimeError) Error() string { return fmt.Sprintf("time limit of %s reached", e.limit) }

// begin begins something new, such as the next automaton of a stream, for which there is
// all the time, and no text yet.
func (b *budgetReader) begin() { b.read, b.work, b.left = 0, 0, time.Now() }

// Aside has use do what is no part of reading r, such as deciding what was read. Its time does not
// count as that of reading: questions further on in the file would be lost for it.
func Aside(r io.Reader, use func() error) error {
	text, ok := r.(*budgetReader)
	if !ok {
		return use()
	}
	text.work, text.left = text.worked(), time.Time{}
	defer func() { text.left = time.Now() }()
	return use()
}

// worked returns the time since reading began, without that in which text was waited for.
func (b *budgetReader) worked() time.Duration {
	if b.left.IsZero() {
		return b.work
	}
	return b.work + time.Since(b.left)
}

// Read reads on while there is time and memory. It looks for memory once in readLook bytes. After
// an error other than the end of the file all reads fail with the same one.
func (b *budgetReader) Read(p []byte) (int, error) {
	if b.work = b.worked(); b.failed == nil && b.limit > 0 && b.work > b.limit {
		b.failed = &readTimeError{b.limit}
	}
	if b.failed != nil {
		b.left = time.Now()
		return 0, b.failed
	}
	n, err := b.r.Read(p)
	b.total += n
	if b.read += n; b.read >= readLook && err == nil {
		b.read = 0
		err = b.look()
	}
	if err != nil && err != io.EOF {
		b.failed = err
	}
	b.left = time.Now()
	return n, err
}
