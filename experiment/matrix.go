package experiment

import (
	"fmt"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// cellSize is the width and height of one scatter plot of a matrix.
const cellSize = 6 * vg.Centimeter

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
			p, err := scatterCell(symbolicPairs(records, x, y), least, most, figure)
			if err != nil {
				return err
			}
			p.X.Label.Text, p.Y.Label.Text = x+", "+name, y+", "+name
			plots[row][column] = p
		}
	}
	canvas := vgimg.PngCanvas{Canvas: vgimg.New(cellSize*vg.Length(n), cellSize*vg.Length(n))}
	tiles := draw.Tiles{Rows: n, Cols: n, PadX: vg.Millimeter, PadY: vg.Millimeter}
	cells := plot.Align(plots, tiles, draw.New(canvas))
	for row := range plots {
		for column, p := range plots[row] {
			if p != nil {
				p.Draw(cells[row][column])
			}
		}
	}
	_, err := canvas.WriteTo(w)
	return err
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
func scatterCell(pairs []symbolicPair, least, most float64, figure func(SymbolicRecord) float64) (*plot.Plot, error) {
	p := plot.New()
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.LogTicks{Prec: -1}, plot.LogTicks{Prec: -1}
	beyond := 2 * most
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = least, beyond, least, beyond
	place := func(r SymbolicRecord) float64 { return max(least, min(beyond, r.cost(figure))) }
	points := map[string]plotter.XYs{}
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
		points[verdict] = append(points[verdict], plotter.XY{X: place(q.x), Y: place(q.y)})
	}
	p.Title.TextStyle.Font.Size, p.X.Label.TextStyle.Font.Size, p.Y.Label.TextStyle.Font.Size = 8, 8, 8
	p.X.Tick.Label.Font.Size, p.Y.Tick.Label.Font.Size = 7, 7
	p.Title.Text = fmt.Sprintf("%d above, %d below", above, below)
	for _, factor := range []float64{0.1, 1, 10} {
		line, err := plotter.NewLine(plotter.XYs{{X: least * max(1, 1/factor), Y: least * max(1, factor)}, {X: beyond * min(1, 1/factor), Y: beyond * min(1, factor)}})
		if err != nil {
			return nil, err
		}
		line.Color = diagonalColour
		if factor != 1 {
			line.Dashes = []vg.Length{2, 2}
		}
		p.Add(line)
	}
	for _, v := range []struct {
		verdict string
		colour  color.Color
		shape   draw.GlyphDrawer
	}{{verified, verifiedColour, draw.CrossGlyph{}}, {violated, violatedColour, draw.RingGlyph{}}} {
		if len(points[v.verdict]) == 0 {
			continue
		}
		s, err := plotter.NewScatter(points[v.verdict])
		if err != nil {
			return nil, err
		}
		s.GlyphStyle = draw.GlyphStyle{Color: v.colour, Shape: v.shape, Radius: vg.Millimeter / 2}
		p.Add(s)
	}
	return p, nil
}
