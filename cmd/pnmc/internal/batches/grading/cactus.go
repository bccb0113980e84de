package grading

import (
	"image/color"
	"math"
	"slices"
	"strings"

	"pnmc/internal/plot"
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
	cactusWidth  = 22 * plot.Centimeter
	cactusHeight = 11 * plot.Centimeter
)

// Cactus draws a curve for each category of examinations, as SVG without a heading. It
// shows how many answers that are not wrong were given up to each time. The lower and
// the longer a curve, the better. Times are on a logarithmic axis. Without answers
// there is nothing to draw, and the text is empty.
//
// For answers after 3, 1 and 2 seconds the curve goes through (1, 1), (2, 2) and (3, 3). The first
// number counts answers, and the second is how long the last of them took.
func (s *Summary) Cactus() (string, error) {
	most := max(1, math.Pow(10, math.Ceil(math.Log10(float64(max(1, s.Settings.Seconds))))))
	p := plot.Plot{Width: cactusWidth, Height: cactusHeight, Grid: true}
	answers := 1
	for _, c := range categories {
		line := plot.Series{Name: c.name, Points: s.curve(c), Colour: c.colour, Width: 2}
		if n := len(line.Points); n > 0 {
			p.Series = append(p.Series, line)
			answers, most = max(answers, n-1), max(most, line.Points[n-1].Y)
		}
	}
	if len(p.Series) == 0 {
		return "", nil
	}
	p.X = plot.Axis{Label: "answers of the category", High: float64(answers), Whole: true}
	p.Y = plot.Decades("seconds until the answer", fastest, most)
	var text strings.Builder
	err := p.SVG(&text)
	return text.String(), err
}

// curve returns the points of that of a category: none if it has no answer.
func (s *Summary) curve(c category) []plot.Point {
	var times []float64
	for _, i := range s.Items {
		if (i.Grade == Right || i.Grade == Unrated) && slices.Contains(c.examinations, i.Examination) {
			times = append(times, max(fastest, i.Seconds))
		}
	}
	if len(times) == 0 {
		return nil
	}
	slices.Sort(times)
	points := []plot.Point{{X: 0, Y: times[0]}}
	for n, t := range times {
		points = append(points, plot.Point{X: float64(n + 1), Y: t})
	}
	return points
}
