package experiment

import (
	"image/color"
	"io"
	"math"

	"pnmc/internal/plot"
)

// Colours of the marks, as in the figures of the papers.
var (
	verifiedColour = color.RGBA{G: 0x90, A: 0xff}
	violatedColour = color.RGBA{A: 0xff}
	diagonalColour = color.RGBA{0xa0, 0xa0, 0xa0, 0xff}
)

// figureSize is the width and height of a plot.
const figureSize = 12 * plot.Centimeter

// markRadius is that of a mark: a millimetre.
const markRadius = plot.Centimeter / 10

// Scatter draws, as SVG, one point for each property that both approaches
// decided: a figure by approach x across, by approach y up, on logarithmic axes.
// Verified properties are green crosses, violated ones black circles. Points
// below the diagonal are in favour of y.
func Scatter(w io.Writer, records []Record, x, y, figureName string, figure func(Record) int64) error {
	p := plot.Plot{Width: figureSize, Height: figureSize}
	most := 10.0
	for _, v := range []struct {
		verdict string
		colour  color.RGBA
		mark    plot.Mark
		name    string
	}{{verified, verifiedColour, plot.Cross, "verified"}, {violated, violatedColour, plot.Ring, "violated"}} {
		points := pairs(records, v.verdict, x, y, figure)
		for _, q := range points {
			most = max(most, q.X, q.Y)
		}
		if len(points) > 0 {
			p.Series = append(p.Series, plot.Series{Name: v.name, Points: points, Colour: v.colour, Mark: v.mark, Radius: markRadius})
		}
	}
	most = math.Pow(10, math.Ceil(math.Log10(most)))
	p.Series = append(p.Series, plot.Series{Points: []plot.Point{{X: 1, Y: 1}, {X: most, Y: most}}, Colour: diagonalColour, Width: 1})
	p.X, p.Y = plot.Decades(figureName+", "+x, 1, most), plot.Decades(figureName+", "+y, 1, most)
	return p.SVG(w)
}

// pairs returns the points of properties that both approaches decided.
//
// Both must have the same verdict. A contradiction has no point in either colour; it is told
// elsewhere.
func pairs(records []Record, verdict, x, y string, figure func(Record) int64) []plot.Point {
	records = latest(records)
	value := map[Key]int64{}
	for _, r := range records {
		if r.Verdict == verdict && figure(r) >= 0 { // the axes begin at 1
			value[r.Key()] = max(1, figure(r))
		}
	}
	var points []plot.Point
	for _, r := range records {
		across, ok := value[r.Key()]
		up, both := value[Key{r.Model, r.Set, y, r.Line}]
		if r.Approach == x && ok && both {
			points = append(points, plot.Point{X: float64(across), Y: float64(up)})
		}
	}
	return points
}
