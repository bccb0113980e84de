package multicore

import (
	"errors"
	"slices"

	"pnmc/internal/account"
	"pnmc/petri/internal/store"
)

// catalogue is how a thread that counts knows of markings whether they were met. What waits in a queue to
// be gone on from is a word for each: the marking, or what stands for it.
type catalogue interface {
	// begin enters the initial marking.
	begin(initial []uint64)
	// load writes the marking that a word of a queue stands for to packed.
	load(item uint64, packed []uint64)
	// enter takes over successors of the marking that was loaded last. It may leave them in out until
	// there are more. It returns how many wait for add; others were met lately.
	enter(out *[]uint64) (waiting int, err error)
	// add adds the markings that wait, and those in out. It returns what is to be queued of the
	// new ones, void at the next call of enter or add. There may be some with an error, too.
	add(out *[]uint64) (fresh []uint64, err error)
}

const (
	// recentBits is the binary logarithm of how many markings of a word a thread remembers.
	recentBits = 15
	// leastAdded is how many markings are added to a tree at a time, at least.
	leastAdded = 1 << 5
)

// newCatalogue returns one for a thread, which charges the account. It leaves out the initial marking: one
// thread has to begin with it.
func (x *counting) newCatalogue(a *account.Account, initial []uint64) (catalogue, error) {
	if x.set == nil {
		if err := a.Reserve(store.ClimberBytes); err != nil {
			return nil, err
		}
		return &treeCatalogue{account: a, climber: x.tree.NewClimber(a.Reserve)}, nil
	}
	if err := a.Reserve(8 << recentBits); err != nil {
		return nil, err
	}
	return &wordCatalogue{
		set: x.set, account: a, batcher: x.set.NewBatcher(a.Reserve), batch: x.batch,
		recent: slices.Repeat([]uint64{x.set.Mix(initial[0])}, 1<<recentBits),
	}, nil
}

// wordCatalogue is one of markings of one word, which are themselves what is queued.
type wordCatalogue struct {
	_       [line]byte
	set     *store.Set
	account *account.Account
	batcher *store.Batcher
	batch   int
	mixed   []uint64 // the first of out, mixed: they were sifted
	recent  []uint64 // mixed markings that are in the set or in out, each where its first bits say
	_       [line]byte
}

func (c *wordCatalogue) begin(initial []uint64) { c.mixed = append(c.mixed, c.set.Mix(initial[0])) }

func (c *wordCatalogue) load(item uint64, packed []uint64) { packed[0] = item }

func (c *wordCatalogue) enter(out *[]uint64) (waiting int, err error) {
	if len(*out) >= len(c.mixed)+c.batch {
		err = c.sift(out)
	}
	return len(c.mixed), err
}

// sift leaves out markings that the thread has met lately. It has no branch that can't be
// predicted.
func (c *wordCatalogue) sift(out *[]uint64) error {
	n := len(c.mixed)
	found := (*out)[n:]
	if err := c.account.Charge(16 * len(found)); err != nil {
		return err
	}
	c.mixed = slices.Grow(c.mixed, len(found))[:n+len(found)]
	for _, p := range found {
		h := c.set.Mix(p)
		entry := &c.recent[h>>(64-recentBits)]
		known := *entry
		*entry = h
		(*out)[n], c.mixed[n] = p, h
		if known != h {
			n++
		}
	}
	*out, c.mixed = (*out)[:n], c.mixed[:n]
	return nil
}

func (c *wordCatalogue) add(out *[]uint64) (fresh []uint64, err error) {
	if err := c.sift(out); err != nil {
		return nil, err
	}
	n, err := c.batcher.Add(*out, c.mixed)
	fresh = (*out)[:n]
	*out, c.mixed = (*out)[:0], c.mixed[:0]
	return fresh, err
}

// treeCatalogue is one of longer markings. A last pair of the tree is queued.
type treeCatalogue struct {
	_       [line]byte
	account *account.Account
	climber *store.Climber
	entered int // words since the account was charged
	_       [line]byte
}

func (c *treeCatalogue) begin([]uint64) {}

func (c *treeCatalogue) load(item uint64, packed []uint64) { c.climber.Load(item, packed) }

func (c *treeCatalogue) enter(out *[]uint64) (waiting int, err error) {
	if c.entered += len(*out); c.entered >= store.Added {
		err = c.account.Charge(16 * c.entered)
		c.entered = 0
	}
	waiting = c.climber.Enter(*out)
	*out = (*out)[:0]
	return waiting, err
}

func (c *treeCatalogue) add(out *[]uint64) (fresh []uint64, err error) {
	if _, err := c.enter(out); err != nil {
		return nil, err
	}
	fresh, err = c.climber.Add()
	if errors.Is(err, store.ErrFull) {
		err = errTooManyParts
	}
	return fresh, err
}

// errTooManyParts says that numbers of parts of markings are used up.
var errTooManyParts = errors.New("more than 2^32 different parts of markings")
