package grading

import (
	"bytes"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// category groups examinations as the contest's podiums do, with the colour of
// its curve: colours that the colour-blind can tell apart (Okabe and Ito 2008).
type category struct {
	name         string
	examinations []string
	colour       color.RGBA
}

var categories = []category{
	{"state space", []string{"StateSpace"}, color.RGBA{0x00, 0x00, 0x00, 0xff}},
	{"global properties", []string{"ReachabilityDeadlock", "OneSafe", "QuasiLiveness", "StableMarking", "Liveness"}, color.RGBA{0xe6, 0x9f, 0x00, 0xff}},
	{"upper bounds", []string{"UpperBounds"}, color.RGBA{0x56, 0xb4, 0xe9, 0xff}},
	{"reachability", []string{"ReachabilityCardinality", "ReachabilityFireability"}, color.RGBA{0x00, 0x9e, 0x73, 0xff}},
	{"CTL", []string{"CTLCardinality", "CTLFireability"}, color.RGBA{0xd5, 0x5e, 0x00, 0xff}},
	{"LTL", []string{"LTLCardinality", "LTLFireability"}, color.RGBA{0xcc, 0x79, 0xa7, 0xff}},
}

// fastest is where times on the plot begin, in seconds. Shorter times say nothing.
const fastest = 0.01

const (
	cactusWidth  = 22 * vg.Centimeter
	cactusHeight = 11 * vg.Centimeter
)

// Cactus draws a curve for each category of examinations, as SVG without a heading. It
// shows how many answers that are not wrong were given up to each time. The lower and
// the longer a curve, the better. Times are on a logarithmic axis. Without answers
// there is nothing to draw, and the text is empty.
//
// For answers after 3, 1 and 2 seconds the curve goes through (1, 1), (2, 2) and (3, 3). The first
// number counts answers, and the second is how long the last of them took.
func (s *Summary) Cactus() (string, error) {
	p := plot.New()
	p.X.Label.Text, p.Y.Label.Text = "answers of the category", "seconds until the answer"
	p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	p.Y.Min, p.Y.Max = fastest, max(1, math.Pow(10, math.Ceil(math.Log10(float64(max(1, s.Settings.Seconds))))))
	p.X.Min, p.X.Max = 0, 1
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = color.Gray{Y: 0xdd}, color.Gray{Y: 0xdd}
	p.X.Tick.Marker = wholeTicks{}
	p.Add(grid)
	drawn := false
	for _, c := range categories {
		line, err := s.curve(c)
		if err != nil {
			return "", err
		}
		if line != nil {
			drawn = true
			p.Add(line)
			p.Legend.Add(c.name, line)
		}
	}
	if !drawn {
		return "", nil
	}
	p.Legend.Left, p.Legend.Top = true, true
	p.Legend.XOffs, p.Legend.YOffs, p.Legend.Padding = 3*vg.Millimeter, -13*vg.Millimeter, vg.Millimeter
	canvas := vgsvg.New(cactusWidth, cactusHeight)
	// The last number of the axis stands half beyond its end.
	p.Draw(draw.Crop(draw.New(canvas), 0, -4*vg.Millimeter, 0, 0))
	var text bytes.Buffer
	if _, err := canvas.WriteTo(&text); err != nil {
		return "", err
	}
	svg := text.String()
	if i := strings.Index(svg, "<svg"); i >= 0 {
		svg = svg[i:] // within a page there is no XML declaration
	}
	return svg, nil
}

// wholeTicks are ticks at whole numbers: there are no halves of answers.
type wholeTicks struct{}

// Ticks returns those of an axis from low to high.
func (wholeTicks) Ticks(low, high float64) []plot.Tick {
	return slices.DeleteFunc(plot.DefaultTicks{}.Ticks(low, high), func(t plot.Tick) bool { return t.Value != math.Trunc(t.Value) })
}

// curve returns that of a category, nil if it has no answer.
func (s *Summary) curve(c category) (*plotter.Line, error) {
	var times []float64
	for _, i := range s.Items {
		if (i.Grade == Right || i.Grade == Unrated) && slices.Contains(c.examinations, i.Examination) {
			times = append(times, max(fastest, i.Seconds))
		}
	}
	if len(times) == 0 {
		return nil, nil
	}
	slices.Sort(times)
	points := plotter.XYs{{X: 0, Y: times[0]}}
	for n, t := range times {
		points = append(points, plotter.XY{X: float64(n + 1), Y: t})
	}
	line, err := plotter.NewLine(points)
	if err != nil {
		return nil, err
	}
	line.Color, line.Width = c.colour, vg.Points(1.5)
	return line, nil
}
