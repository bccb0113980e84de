package plot

import (
	"image/color"

	"github.com/go-analyze/charts/chartdraw"
	"github.com/go-analyze/charts/chartdraw/drawing"
)

// Point is a point of a plot, in values of its axes.
type Point struct{ X, Y float64 }

// Series are points that belong together: a line through them, marks at them, or both.
type Series struct {
	Name   string // in the legend; empty: not there
	Points []Point
	Colour color.RGBA
	Mark   Mark
	Radius float64   // of the marks, in pixels
	Width  float64   // of the line, in pixels; 0: there is none
	Dashes []float64 // lengths of dashes and gaps; nil: the line has no gaps
}

// Mark is the shape that stands at a point.
type Mark uint8

// The shapes of marks.
const (
	None Mark = iota
	Cross
	Ring
	Disc
)

// drawnSeries draws a Series, as a chartdraw.Series.
type drawnSeries struct{ Series }

var _ chartdraw.Series = drawnSeries{}

// GetName returns the name of the series.
func (s drawnSeries) GetName() string { return s.Name }

// GetYAxis returns the axis on the left.
func (drawnSeries) GetYAxis() chartdraw.YAxisType { return chartdraw.YAxisSecondary }

// GetStyle returns what the library takes as visible.
func (drawnSeries) GetStyle() chartdraw.Style { return chartdraw.Shown() }

// Validate accepts every series.
func (drawnSeries) Validate() error { return nil }

// Render draws the line, and the marks above it.
func (s drawnSeries) Render(r chartdraw.Renderer, box chartdraw.Box, x, y chartdraw.Range, _ chartdraw.Style) {
	at := func(p Point) (int, int) { return box.Left + x.Translate(p.X), box.Bottom - y.Translate(p.Y) }
	if s.Width > 0 && len(s.Points) > 1 {
		s.stroke(r, s.Width, s.Dashes)
		for i, p := range s.Points {
			across, up := at(p)
			if i == 0 {
				r.MoveTo(across, up)
			} else {
				r.LineTo(across, up)
			}
		}
		r.Stroke()
	}
	for _, p := range s.Points {
		across, up := at(p)
		s.mark(r, across, up)
	}
}

// stroke chooses the colour and form of what is drawn next.
func (s Series) stroke(r chartdraw.Renderer, width float64, dashes []float64) {
	r.SetStrokeColor(colour(s.Colour))
	r.SetStrokeWidth(width)
	r.SetStrokeDashArray(dashes)
}

// mark draws the mark of a point.
func (s Series) mark(r chartdraw.Renderer, x, y int) {
	s.stroke(r, 1, nil)
	radius := int(s.Radius + 0.5)
	switch s.Mark {
	case Cross:
		r.MoveTo(x-radius, y-radius)
		r.LineTo(x+radius, y+radius)
		r.MoveTo(x-radius, y+radius)
		r.LineTo(x+radius, y-radius)
		r.Stroke()
	case Ring:
		r.Circle(s.Radius, x, y)
		r.Stroke()
	case Disc:
		r.SetFillColor(colour(s.Colour))
		r.Circle(s.Radius, x, y)
		r.FillStroke()
	}
}

// upright writes the name of the axis on the left, from below to above.
func (p *Plot) upright(size float64) chartdraw.Renderable {
	return func(r chartdraw.Renderer, box chartdraw.Box, defaults chartdraw.Style) {
		style := textStyle(size)
		style.Font = defaults.Font
		length := chartdraw.Draw.MeasureText(r, p.Y.Label, style).Width()
		style.TextRotationDegrees = 270
		chartdraw.Draw.Text(r, p.Y.Label, int(1.5*size*dotsPerInch/72), box.Bottom-(box.Height()-length)/2, style)
	}
}

// textStyle returns that of text, and of the lines beside it.
func textStyle(size float64) chartdraw.Style {
	return chartdraw.Style{
		FontStyle:   chartdraw.FontStyle{FontSize: size, FontColor: drawing.ColorBlack},
		StrokeColor: drawing.ColorBlack, StrokeWidth: 0.5,
	}
}

// legend draws the names of the series that have one, with a sample before each.
func (p *Plot) legend(size float64) chartdraw.Renderable {
	return func(r chartdraw.Renderer, box chartdraw.Box, defaults chartdraw.Style) {
		style := textStyle(size)
		style.Font = defaults.Font
		line := int(1.4 * size * dotsPerInch / 72)
		width, lines := 0, 0
		for _, s := range p.Series {
			if s.Name != "" {
				width, lines = max(width, chartdraw.Draw.MeasureText(r, s.Name, style).Width()), lines+1
			}
		}
		if lines == 0 {
			return
		}
		sample := 2 * line // how long the line before a name is
		left, y := box.Left+line/2, box.Top+line/2
		if p.Legend == LowerRight {
			left, y = box.Right-line/2-width-sample-line/2, box.Bottom-line/2-lines*line
		}
		chartdraw.Draw.Box(r, chartdraw.Box{Left: left - 3, Top: y, Right: left + sample + line/2 + width + 3, Bottom: y + lines*line, IsSet: true},
			chartdraw.Style{FillColor: drawing.ColorWhite})
		for _, s := range p.Series {
			if s.Name == "" {
				continue
			}
			middle := y + line/2
			if s.Width > 0 {
				s.stroke(r, s.Width, s.Dashes)
				r.MoveTo(left, middle)
				r.LineTo(left+sample, middle)
				r.Stroke()
			}
			s.mark(r, left+sample/2, middle)
			chartdraw.Draw.Text(r, s.Name, left+sample+line/2, middle+line/3, style)
			y += line
		}
	}
}
