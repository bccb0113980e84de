package input

import (
	"errors"
	"flag"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/pnml"
	"pnmc/symbolic/etf"
)

// TestBudgetReader: a net whose text goes on when memory is spent ends with that, and
// not as bad input; one that leaves memory is read to its end.
func TestBudgetReader(t *testing.T) {
	text := strings.Repeat("<!-- much -->\n", readLook/10)
	roomy := petri.Budget{MemoryBytes: 1 << 50}
	if n, err := io.Copy(io.Discard, &budgetReader{ctx: t.Context(), r: strings.NewReader(text), budget: roomy}); err != nil || n != int64(len(text)) {
		t.Errorf("%d bytes of %d, %v", n, len(text), err)
	}
	spent := petri.Budget{MemoryBytes: 1 << 20}
	full := func(text string) io.Reader {
		return &budgetReader{ctx: t.Context(), r: strings.NewReader(text), budget: spent}
	}
	_, errPNML := pnml.Reader{}.ReadDocument(full(text), "x")
	_, errETF := etf.Read(full(strings.Repeat("\n", len(text))), "x")
	for _, err := range []error{errPNML, errETF} {
		var memory *petri.MemoryError
		if !errors.As(err, &memory) {
			t.Errorf("expected the end of memory, found: %v", err)
		}
	}
}

// TestWholeTextLeavesRoom: a text that is kept as a whole is copied when it grows, for which
// there must be room: it ends when it takes less than half of what there is.
func TestWholeTextLeavesRoom(t *testing.T) {
	const room = 200 << 20
	read := func() int {
		runtime.GC()
		budget := petri.Budget{MemoryBytes: account.InUse() + room}
		r := &budgetReader{ctx: t.Context(), r: endless{}, budget: budget, whole: true}
		_, err := io.ReadAll(r)
		var memory *petri.MemoryError
		if !errors.As(err, &memory) {
			t.Fatalf("expected the end of memory, found: %v", err)
		}
		return r.total
	}
	if n := read(); n > room/2 || n < room/8 {
		t.Errorf("%d MB were read, where %d MB are free", n>>20, room>>20)
	}
}

// endless is text without end.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// TestAsideTakesNoTimeOfReading: what is done with what was read is not counted as reading.
func TestAsideTakesNoTimeOfReading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &budgetReader{ctx: t.Context(), r: strings.NewReader("some text"), limit: time.Minute}
		buffer := make([]byte, 1)
		for range 3 {
			if _, err := r.Read(buffer); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second) // a parser works
			if err := Aside(r, func() error { time.Sleep(time.Hour); return io.ErrNoProgress }); err != io.ErrNoProgress {
				t.Error(err)
			}
		}
		if took := r.worked(); took != 3*time.Second || r.reserve(2*madeLook) != nil {
			t.Errorf("reading took %s, and failed with %v", took, r.failed)
		}
		if err := Aside(strings.NewReader(""), func() error { return io.ErrNoProgress }); err != io.ErrNoProgress {
			t.Error(err)
		}
	})
}

// TestReadingTakesTime: what reading takes is limited and taken from the time of what comes
// next; what is waited for is not.
func TestReadingTakesTime(t *testing.T) {
	long := time.Hour
	r := &budgetReader{ctx: t.Context(), r: strings.NewReader("some text"), limit: long}
	buffer := make([]byte, 1)
	if _, err := r.Read(buffer); err != nil {
		t.Fatal(err)
	}
	r.left = r.left.Add(-2 * long) // the parser was busy
	var late *readTimeError
	if _, err := r.Read(buffer); !errors.As(err, &late) || r.worked() < 2*long {
		t.Errorf("after %s: %v", r.worked(), err)
	}
	r = &budgetReader{ctx: t.Context(), r: strings.NewReader("some text"), limit: long, left: time.Now().Add(-2 * long)}
	r.begin()
	if _, err := r.Read(buffer); err != nil || r.worked() > long {
		t.Errorf("something new, after %s: %v", r.worked(), err)
	}
	app := &cli.App{Flags: limits.Flags(""), Writer: io.Discard, ErrWriter: io.Discard, Metadata: map[string]any{limits.AllowanceKey: &limits.Allowance{}}}
	app.Action = func(c *cli.Context) error {
		limits.AllowanceOf(c).Gone = 2 * long
		for i, isOver := range []bool{true, false} {
			ctx, cancel := limits.WithTimeout(c)
			if (ctx.Err() != nil) != isOver {
				t.Errorf("thing %d of those that have the time: %v", i+1, ctx.Err())
			}
			cancel()
		}
		return nil
	}
	if err := app.Run([]string{"pnmc", "--timeout", long.String()}); err != nil {
		t.Error(err)
	}
}

// TestArgumentsHaveTheLimitsOfReading: a formula of a flag that is far longer than its text ends with the
// memory or the time, and is then unknown, not bad; the time is that of the first question.
func TestArgumentsHaveTheLimitsOfReading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		flags := flag.NewFlagSet("", flag.ContinueOnError)
		flags.Duration("timeout", time.Second, "")
		allowance := &limits.Allowance{}
		app := &cli.App{Metadata: map[string]any{limits.AllowanceKey: allowance}}
		c := cli.NewContext(app, flags, &cli.Context{Context: t.Context()})
		late := func(limit logic.Limit) error {
			time.Sleep(2 * time.Second)
			if err := limit(madeLook); err != nil {
				return &logic.LimitError{Err: err}
			}
			return nil
		}
		wrong := errors.New("wrong")
		for name, test := range map[string]struct {
			use  func(limit logic.Limit) error
			code int
			gone time.Duration
		}{
			"late":  {late, exit.Unknown, 2 * time.Second},
			"wrong": {func(logic.Limit) error { return wrong }, 0, 0},
			"right": {func(limit logic.Limit) error { return limit(madeLook) }, 0, 0},
		} {
			allowance.Gone = 0
			err := WithArgument(c, "formula", test.use)
			var failed *exit.Failure
			switch errors.As(err, &failed); {
			case (failed == nil) != (test.code == 0), failed != nil && failed.Code != test.code:
				t.Errorf("%s: %v", name, err)
			case name == "wrong" && err != wrong, name == "right" && err != nil:
				t.Errorf("%s: %v", name, err)
			}
			if allowance.Gone != test.gone {
				t.Errorf("%s: %v are gone", name, allowance.Gone)
			}
		}
	})
}

// TestOnePartEndsAlone: a part of a text for which there is no memory ends, and the next one is made. With the time all parts end.
func TestOnePartEndsAlone(t *testing.T) {
	r := &budgetReader{ctx: t.Context(), r: strings.NewReader(""), budget: petri.Budget{MemoryBytes: account.InUse() + 1<<30}, limit: time.Hour}
	large, small := OnePart(r), OnePart(r)
	if err := large(math.MaxInt32); !errors.As(err, new(*petri.MemoryError)) {
		t.Errorf("too large a part: %v", err)
	}
	if err := small(2 * madeLook); err != nil {
		t.Errorf("the next part: %v", err)
	}
	if err := large(1); !errors.As(err, new(*petri.MemoryError)) {
		t.Errorf("the part that was too large goes on: %v", err)
	}
	r.left = time.Now().Add(-2 * time.Hour)
	for _, part := range []logic.Limit{small, OnePart(r)} {
		if err := part(2 * madeLook); !errors.As(err, new(*readTimeError)) {
			t.Errorf("after the time: %v", err)
		}
	}
	if OnePart(strings.NewReader("")) != nil {
		t.Error("a limit of a reader that has none")
	}
}
