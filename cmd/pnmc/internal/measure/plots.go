package measure

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"pnmc/checker/product"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/output"
	"pnmc/experiment"
)

// A drawing draws records.
type drawing[R any] func(w io.Writer, records []R) error

// explicitPlots returns the plots of the last approach against each other one, by the names of
// their files.
func explicitPlots(approaches []product.Approach) map[string]drawing[experiment.Record] {
	plots := map[string]drawing[experiment.Record]{}
	last := approaches[len(approaches)-1].String()
	for _, figure := range []struct {
		name, text string
		of         func(experiment.Record) int64
	}{
		{"explored", "transitions explored", func(r experiment.Record) int64 { return r.ExploredTransitions }},
		{"product", "states of the product", func(r experiment.Record) int64 { return r.FullStates }},
	} {
		for _, other := range approaches[:len(approaches)-1] {
			plots[fmt.Sprintf("%s-%s-%s.svg", figure.name, last, other)] = func(w io.Writer, records []experiment.Record) error {
				return experiment.Scatter(w, records, other.String(), last, figure.text, figure.of)
			}
		}
	}
	return plots
}

// matrices returns the scatter matrices of time and memory, by the names of their files.
func matrices(settings []experiment.NamedSettings) map[string]drawing[experiment.SymbolicRecord] {
	var names []string
	for _, s := range settings {
		names = append(names, s.Name)
	}
	plots := map[string]drawing[experiment.SymbolicRecord]{}
	for _, x := range []struct {
		file, text string
		least      float64 // measured values may be as small
		figure     func(experiment.SymbolicRecord) float64
	}{
		{"symbolic-time.png", "seconds", 1e-6, func(r experiment.SymbolicRecord) float64 { return r.Seconds }},
		{"symbolic-memory.png", "MB", 1e-3, func(r experiment.SymbolicRecord) float64 { return float64(r.DiagramBytes) / (1 << 20) }},
	} {
		plots[x.file] = func(w io.Writer, records []experiment.SymbolicRecord) error {
			return experiment.ScatterMatrix(w, records, names, x.text, x.least, x.figure)
		}
	}
	return plots
}

// tryPlots finds out whether the files of plots can be written, before there is something
// to draw.
func tryPlots[R any](directory string, plots map[string]drawing[R]) error {
	if err := os.MkdirAll(directory, 0o755); err != nil {
		return exit.InputError(err)
	}
	for _, name := range slices.Sorted(maps.Keys(plots)) {
		if err := output.Try(filepath.Join(directory, name)); err != nil {
			return err
		}
	}
	return nil
}

// drawPlots makes each plot appear whole or not at all.
func drawPlots[R any](directory string, plots map[string]drawing[R], records []R) error {
	for _, name := range slices.Sorted(maps.Keys(plots)) {
		var text bytes.Buffer
		if err := plots[name](&text, records); err != nil {
			return err
		}
		if err := output.Write(filepath.Join(directory, name), text.Bytes()); err != nil {
			return err
		}
	}
	return nil
}
