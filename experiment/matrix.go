package experiment

import (
	"fmt"
	"image/color"
	"io"
	"math"

	"pnmc/internal/plot"
)

// cellSize is the width and height of one scatter plot of a matrix.
const cellSize = 6 * plot.Centimeter

// ScatterMatrix draws, as PNG, the scatter plots of each way to check against each
// later one, as in Fig. 3 and 4 of the paper of 2014. A point is a property. Up is the figure by the
// way that names the row, across the figure by the way that names the column: so points below the
// diagonal are in favour of the row. The axes are logarithmic and begin with least, the smallest
// value that can be measured; what is smaller lies there. Above each plot stand the numbers of points
// above and below the diagonal. Checks without a verdict lie on the line beyond all others. An error
// is that of w, or that there are fewer than two ways.
func ScatterMatrix(w io.Writer, records []SymbolicRecord, approaches []string, name string, least float64, figure func(SymbolicRecord) float64) error {
	least, most := axis(records, least, figure)
	n := len(approaches) - 1
	if n < 1 {
		return fmt.Errorf("a matrix of %d ways to check", len(approaches))
	}
	plots := make([][]*plot.Plot, n)
	for row := range plots {
		plots[row] = make([]*plot.Plot, n)
		for column := 0; column <= row; column++ {
			x, y := approaches[column], approaches[row+1]
			p := scatterCell(symbolicPairs(records, x, y), least, most, figure)
			p.X.Label, p.Y.Label = x+", "+name, y+", "+name
			plots[row][column] = p
		}
	}
	return plot.Tiles(w, plots)
}

// axis returns powers of ten, at least one apart, between which all values are that are not
// below least.
//
// For example, for values from 0.003 to 42 they are 0.001 and 100.
func axis(records []SymbolicRecord, least float64, figure func(SymbolicRecord) float64) (from, to float64) {
	smallest, largest := math.Inf(1), least
	for _, r := range records {
		if r.decided() {
			smallest = min(smallest, max(least, figure(r)))
			largest = max(largest, figure(r))
		}
	}
	from = math.Pow(10, math.Floor(math.Log10(min(smallest, largest))))
	return from, max(10*from, math.Pow(10, math.Ceil(math.Log10(largest))))
}

// scatterCell returns one plot; points outside a factor of ten around the diagonal are
// beyond further lines.
func scatterCell(pairs []symbolicPair, least, most float64, figure func(SymbolicRecord) float64) *plot.Plot {
	beyond := 2 * most
	axis := plot.Axis{Low: least, High: beyond, Logarithmic: true}
	p := &plot.Plot{X: axis, Y: axis, Width: cellSize, Height: cellSize, TextSize: 7}
	place := func(r SymbolicRecord) float64 { return max(least, min(beyond, r.cost(figure))) }
	points := map[string][]plot.Point{}
	above, below := 0, 0
	for _, q := range pairs {
		x, y := q.x.cost(figure), q.y.cost(figure)
		if y > x {
			above++
		} else if y < x {
			below++
		}
		verdict := verified
		if q.x.Verdict == violated || q.y.Verdict == violated {
			verdict = violated
		}
		points[verdict] = append(points[verdict], plot.Point{X: place(q.x), Y: place(q.y)})
	}
	p.Title = fmt.Sprintf("%d above, %d below", above, below)
	for _, factor := range []float64{0.1, 1, 10} {
		line := plot.Series{Colour: diagonalColour, Width: 1, Points: []plot.Point{
			{X: least * max(1, 1/factor), Y: least * max(1, factor)}, {X: beyond * min(1, 1/factor), Y: beyond * min(1, factor)}}}
		if factor != 1 {
			line.Dashes = []float64{3, 3}
		}
		p.Series = append(p.Series, line)
	}
	for _, v := range []struct {
		verdict string
		colour  color.RGBA
		mark    plot.Mark
	}{{verified, verifiedColour, plot.Cross}, {violated, violatedColour, plot.Ring}} {
		p.Series = append(p.Series, plot.Series{Points: points[v.verdict], Colour: v.colour, Mark: v.mark, Radius: markRadius / 2})
	}
	return p
}
