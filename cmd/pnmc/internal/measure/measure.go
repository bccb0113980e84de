package measure

import (
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"pnmc/checker"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/experiment"
	"pnmc/hoa"
	"pnmc/logic"
)

// CommandName is the command that a measuringProcess runs.
const CommandName = "measure"

// One measures one property after the other that a measuringProcess sends.
//
// It is the other end of a measuringProcess, and ends when its input does. The measurer stays the
// same for all properties, so that a graph that is explored first is explored once. Faults of a
// property are sent back as text. What is wrong with the messages is an internal error, as this
// program has written them.
func One(c *cli.Context) error {
	if c.Args().Present() {
		return exit.UsageError("unexpected argument %q", c.Args().First())
	}
	decoder, encoder := json.NewDecoder(c.App.Reader), json.NewEncoder(c.App.Writer)
	var told measurePlan
	if err := decoder.Decode(&told); err != nil {
		return exit.UsageError("%s: this command is for bench to start: %w", CommandName, err)
	}
	budget := limits.KeepWithin(told.MemoryBytes)
	net, err := told.Net.build()
	if err != nil {
		return exit.With(exit.Internal, err)
	}
	told.Net = sentNet{} // which the garbage collector may take
	plan := experiment.Plan{
		Net: net, Facts: told.Facts, Budget: budget, GraphFirst: told.GraphFirst, Full: told.Full, Limit: told.Limit,
		Settings: product.Settings{Distrust: told.Distrust, Built: told.Built},
	}
	measurer := plan.InProcess()
	names := checker.Vocabulary(net)
	for {
		var request measureRequest
		err := decoder.Decode(&request)
		if errors.Is(err, io.EOF) {
			return nil
		}
		var property properties.Property
		if err == nil {
			property, err = request.property(names)
		}
		if err != nil {
			return exit.With(exit.Internal, err)
		}
		var reply measureReply
		if reply.Measurement, err = measurer.Measure(c.Context, experiment.Property{Property: property}, request.Approach); err != nil {
			reply.Failure = err.Error()
		}
		if claim := net.FalseClaim(); claim != nil {
			reply.Refuted = claim.Unit
		}
		if err := encoder.Encode(reply); err != nil {
			return exit.InputError(err)
		}
	}
}

// property returns the one that is to be measured.
func (r measureRequest) property(names logic.Vocabulary) (property properties.Property, err error) {
	if property.Automaton, err = hoa.NewReader(strings.NewReader(r.Automaton), "automaton").Read(); err != nil {
		return property, err
	}
	for _, text := range r.Predicates {
		predicate, err := logic.ParsePredicate(text, names)
		if err != nil {
			return property, err
		}
		property.Predicates = append(property.Predicates, predicate)
	}
	return property, nil
}
