package plot

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"
	"strings"

	"github.com/go-analyze/charts/chartdraw"
	"github.com/go-analyze/charts/chartdraw/drawing"
)

// Centimeter is how many pixels a centimetre has.
const Centimeter = dotsPerInch / 2.54

const dotsPerInch = 96

// A Plot has axes and what lies between them.
type Plot struct {
	Title         string
	X, Y          Axis
	Series        []Series
	Width, Height float64 // in pixels
	TextSize      float64 // in points; 0: 10
	Grid          bool
	Legend        Corner
}

// Corner is a corner of a plot: that of its legend.
type Corner uint8

// The corners that legends stand in.
const (
	UpperLeft Corner = iota
	LowerRight
)

// defaultTextSize is the size of text, in points.
const defaultTextSize = 10

// SVG writes the plot as SVG, without an XML declaration, so that it can stand in a page.
func (p *Plot) SVG(w io.Writer) error {
	var text strings.Builder
	if err := p.render(chartdraw.SVG, &text); err != nil {
		return err
	}
	// The library gives its pictures proportions, but no size.
	sized := fmt.Sprintf("<svg width=\"%d\" height=\"%d\" ", int(p.Width), int(p.Height))
	_, err := io.WriteString(w, strings.Replace(text.String(), "<svg ", sized, 1))
	return err
}

// PNG writes the plot as PNG.
func (p *Plot) PNG(w io.Writer) error { return p.render(chartdraw.PNG, w) }

// Tiles writes plots of the same size as one PNG, those of a row beside each other. A nil leaves
// its tile empty.
func Tiles(w io.Writer, rows [][]*Plot) error {
	var all *image.RGBA
	for i, row := range rows {
		for j, p := range row {
			if p == nil {
				continue
			}
			width, height := int(p.Width), int(p.Height)
			if all == nil {
				all = image.NewRGBA(image.Rect(0, 0, width*len(row), height*len(rows)))
				draw.Draw(all, all.Bounds(), image.White, image.Point{}, draw.Src)
			}
			var tile chartdraw.ImageWriter
			if err := p.render(chartdraw.PNG, &tile); err != nil {
				return err
			}
			picture, err := tile.Image()
			if err != nil {
				return err
			}
			draw.Draw(all, image.Rect(j*width, i*height, (j+1)*width, (i+1)*height), picture, image.Point{}, draw.Src)
		}
	}
	if all == nil {
		return fmt.Errorf("no plot to draw")
	}
	return png.Encode(w, all)
}

// render draws the plot with the library's chart.
//
// The library puts its primary axis to the right, and we hide it. Ours is its secondary one, to the
// left: the library has no place for the name of that, so that we leave one and write it.
func (p *Plot) render(renderer chartdraw.RendererProvider, w io.Writer) error {
	for _, a := range []Axis{p.X, p.Y} {
		if !(a.Low < a.High) || math.IsInf(a.High-a.Low, 0) || a.Logarithmic && a.Low <= 0 {
			return fmt.Errorf("an axis from %g to %g", a.Low, a.High)
		}
	}
	size := p.TextSize
	if size == 0 {
		size = defaultTextSize
	}
	text := textStyle(size)
	grid := chartdraw.Hidden()
	if p.Grid {
		grid = chartdraw.Style{StrokeColor: colour(gridColour), StrokeWidth: 0.5}
	}
	line := int(size * dotsPerInch / 72)
	top := line
	if p.Title != "" {
		top += 2 * line
	}
	c := chartdraw.Chart{
		Title: p.Title, TitleStyle: chartdraw.Style{FontStyle: text.FontStyle, Padding: chartdraw.Box{Top: line / 2, IsSet: true}},
		Width: int(p.Width), Height: int(p.Height), DPI: dotsPerInch,
		Background:     chartdraw.Style{Padding: chartdraw.Box{Top: top, Left: 2 * line, Right: 2 * line, Bottom: line / 2, IsSet: true}},
		XAxis:          chartdraw.XAxis{Name: p.X.Label, NameStyle: text, Style: text, Range: p.X.scale(), GridLines: p.X.grid(), GridMajorStyle: grid, GridMinorStyle: grid},
		YAxis:          chartdraw.YAxis{Style: chartdraw.Hidden(), Range: p.Y.scale()},
		YAxisSecondary: chartdraw.YAxis{Style: text, Range: p.Y.scale(), GridLines: p.Y.grid(), GridMajorStyle: grid, GridMinorStyle: grid},
	}
	for _, s := range p.Series {
		c.Series = append(c.Series, drawnSeries{s})
	}
	c.Elements = []chartdraw.Renderable{p.legend(size), p.upright(size)}
	return c.Render(renderer, w)
}

// gridColour is that of the lines behind everything.
var gridColour = color.RGBA{0xdd, 0xdd, 0xdd, 0xff}

// colour returns c as the drawing library has colours.
func colour(c color.RGBA) drawing.Color { return drawing.Color{R: c.R, G: c.G, B: c.B, A: c.A} }
