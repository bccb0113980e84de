package approach

import (
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/petri"
	"pnmc/symbolic"
	"pnmc/symbolic/order"
)

// DiagramFlags returns the flags that say how decision diagrams explore.
func DiagramFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "exploration", Value: symbolic.Saturation.String(),
			Usage: "with decision diagrams, explore by this `METHOD`: saturation, chaining or breadth-first"},
		EncodingFlag(),
		&cli.StringFlag{Name: "order", Value: "auto",
			Usage: "with decision diagrams, order variables by this `HEURISTIC`: auto (tries several), " +
				strings.Join(order.Names(), ", ")},
	}
}

// EncodingFlag says what variables stand for.
func EncodingFlag() cli.Flag {
	return &cli.StringFlag{Name: "encoding", Value: symbolic.PerGroup.String(),
		Usage: "with decision diagrams, have `VARIABLES` for: places; or groups, of places that share one token, and single places"}
}

// EncodingOf returns what variables stand for, as the flag says.
func EncodingOf(c *cli.Context) (symbolic.Encoding, error) {
	e, err := symbolic.ParseEncoding(c.String("encoding"))
	if err != nil {
		return e, exit.UsageError("--encoding: %w", err)
	}
	return e, nil
}

// DiagramOptions returns what the flags say, without a limit of memory.
func DiagramOptions(c *cli.Context) (o symbolic.Options, err error) {
	if o.Method, err = symbolic.ParseMethod(c.String("exploration")); err != nil {
		return o, exit.UsageError("--exploration: %w", err)
	}
	if o.Encoding, err = EncodingOf(c); err != nil {
		return o, err
	}
	if name := c.String("order"); name != "auto" {
		if _, err := order.Named(name); err != nil {
			return o, exit.UsageError("--order: %w", err)
		}
		o.Heuristic = name
	}
	return o, nil
}

// WithFree returns o with the memory that reading has left free.
func WithFree(o symbolic.Options, budget petri.Budget) symbolic.Options {
	debug.FreeOSMemory() // reading leaves garbage several times the net's size
	o.Memory, o.Process = budget.Free()/8*7, budget
	return o
}
