package experiment

import (
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Colours of the marks, as in the figures of the papers.
var (
	verifiedColour = color.RGBA{G: 0x90, A: 0xff}
	violatedColour = color.RGBA{A: 0xff}
	diagonalColour = color.Gray{Y: 0xa0}
)

// figureSize is the width and height of a plot.
const figureSize = 12 * vg.Centimeter

// Scatter draws, as SVG, one point for each property that both approaches
// decided: a figure by approach x across, by approach y up, on logarithmic axes.
// Verified properties are green crosses, violated ones black circles. Points
// below the diagonal are in favour of y.
func Scatter(w io.Writer, records []Record, x, y, figureName string, figure func(Record) int64) error {
	p := plot.New()
	p.X.Label.Text, p.Y.Label.Text = figureName+", "+x, figureName+", "+y
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.LogTicks{Prec: -1}, plot.LogTicks{Prec: -1}
	most := 10.0
	for _, v := range []struct {
		verdict string
		colour  color.Color
		shape   draw.GlyphDrawer
		name    string
	}{{verified, verifiedColour, draw.CrossGlyph{}, "verified"}, {violated, violatedColour, draw.RingGlyph{}, "violated"}} {
		points := pairs(records, v.verdict, x, y, figure)
		for _, q := range points {
			most = max(most, q.X, q.Y)
		}
		if len(points) == 0 {
			continue
		}
		s, err := plotter.NewScatter(points)
		if err != nil {
			return err
		}
		s.GlyphStyle = draw.GlyphStyle{Color: v.colour, Shape: v.shape, Radius: vg.Millimeter}
		p.Add(s)
		p.Legend.Add(v.name, s)
	}
	most = math.Pow(10, math.Ceil(math.Log10(most)))
	diagonal, err := plotter.NewLine(plotter.XYs{{X: 1, Y: 1}, {X: most, Y: most}})
	if err != nil {
		return err
	}
	diagonal.Color = diagonalColour
	p.Add(diagonal)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 1, most, 1, most
	p.Legend.Top, p.Legend.Left = true, true
	canvas := vgsvg.New(figureSize, figureSize)
	p.Draw(draw.New(canvas))
	_, err = canvas.WriteTo(w)
	return err
}

// pairs returns the points of properties that both approaches decided.
//
// Both must have the same verdict. A contradiction has no point in either colour; it is told
// elsewhere.
func pairs(records []Record, verdict, x, y string, figure func(Record) int64) plotter.XYs {
	records = latest(records)
	value := map[Key]int64{}
	for _, r := range records {
		if r.Verdict == verdict && figure(r) >= 0 { // the axes begin at 1
			value[r.Key()] = max(1, figure(r))
		}
	}
	var points plotter.XYs
	for _, r := range records {
		across, ok := value[r.Key()]
		up, both := value[Key{r.Model, r.Set, y, r.Line}]
		if r.Approach == x && ok && both {
			points = append(points, plotter.XY{X: float64(across), Y: float64(up)})
		}
	}
	return points
}
