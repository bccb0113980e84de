package plot_test

import (
	"bytes"
	"encoding/xml"
	"image/color"
	"image/png"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pnmc/internal/plot"
)

var red = color.RGBA{0xff, 0, 0, 0xff}

func ExamplePlot_SVG() {
	p := plot.Plot{X: plot.Decades("states", 1, 5000), Y: plot.Decades("seconds", 0.02, 3), Width: 12 * plot.Centimeter, Height: 8 * plot.Centimeter}
	p.Series = []plot.Series{{Name: "tgba", Points: []plot.Point{{X: 10, Y: 0.02}, {X: 5000, Y: 3}}, Mark: plot.Disc, Radius: 2}}
	if err := p.SVG(os.Stderr); err != nil {
		panic(err)
	}
}

func sample() *plot.Plot {
	return &plot.Plot{
		Title: "3 above, 4 below", X: plot.Decades("tgba, seconds", 1, 900), Y: plot.Axis{Label: "answers", High: 7, Whole: true},
		Width: 300, Height: 200, Grid: true,
		Series: []plot.Series{
			{Name: "holds", Points: []plot.Point{{X: 1, Y: 1}, {X: 10, Y: 2}}, Colour: red, Mark: plot.Cross, Radius: 4},
			{Name: "violated", Points: []plot.Point{{X: 100, Y: 7}}, Colour: red, Mark: plot.Ring, Radius: 4},
			{Points: []plot.Point{{X: 1, Y: 0}, {X: 1000, Y: 7}}, Width: 1, Dashes: []float64{3, 3}},
		},
	}
}

// A picture in SVG has the size that was asked for, the names of the axes and of the series, and numbers
// at the axes.
func TestSVG(t *testing.T) {
	var b bytes.Buffer
	if err := sample().SVG(&b); err != nil {
		t.Fatal(err)
	}
	var texts []string
	counts := map[string]int{}
	for d := xml.NewDecoder(&b); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			counts[e.Name.Local]++
			if e.Name.Local == "svg" && (len(e.Attr) < 2 || e.Attr[0].Value != "300" || e.Attr[1].Value != "200") {
				t.Errorf("the picture is %v", e.Attr)
			}
		case xml.CharData:
			texts = append(texts, strings.TrimSpace(string(e)))
		}
	}
	for _, want := range []string{"3 above, 4 below", "tgba, seconds", "answers", "holds", "violated", "1", "10", "100", "1000", "0", "7"} {
		if !slices.Contains(texts, want) {
			t.Errorf("no text %q in %q", want, texts)
		}
	}
	if counts["circle"] != 2 { // the mark, and its sample in the legend
		t.Errorf("%d circles, expected 2", counts["circle"])
	}
}

// Marks lie where their values are: the lowest to the left and below, with the colour of the series.
func TestPNG(t *testing.T) {
	p := &plot.Plot{X: plot.Decades("x", 1, 100), Y: plot.Decades("y", 1, 100), Width: 300, Height: 300}
	p.Series = []plot.Series{{Points: []plot.Point{{X: 1, Y: 1}, {X: 10, Y: 10}, {X: 100, Y: 100}}, Colour: red, Mark: plot.Disc, Radius: 3}}
	var b bytes.Buffer
	if err := p.PNG(&b); err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	if size := picture.Bounds().Size(); size.X != 300 || size.Y != 300 {
		t.Fatalf("the picture is %v", size)
	}
	var across, up []int
	for y := range 300 {
		for x := range 300 {
			if r, g, _, _ := picture.At(x, y).RGBA(); r == 0xffff && g == 0 {
				across, up = append(across, x), append(up, y)
			}
		}
	}
	if len(across) == 0 {
		t.Fatal("no marks")
	}
	left, right, top, bottom := slices.Min(across), slices.Max(across), slices.Min(up), slices.Max(up)
	if right-left < 150 || bottom-top < 150 {
		t.Errorf("marks from %d,%d to %d,%d", left, top, right, bottom)
	}
	middle := false // 10 is in the middle between 1 and 100
	for i := range across {
		middle = middle || abs(2*across[i]-left-right) <= 2 && abs(2*up[i]-top-bottom) <= 2
	}
	if !middle {
		t.Error("no mark in the middle")
	}
}

func abs(n int) int { return max(n, -n) }

// Tiles lie beside and below each other, and may be missing.
func TestTiles(t *testing.T) {
	var b bytes.Buffer
	if err := plot.Tiles(&b, [][]*plot.Plot{{sample(), nil}, {sample(), sample()}}); err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	if size := picture.Bounds().Size(); size.X != 600 || size.Y != 400 {
		t.Errorf("the picture is %v", size)
	}
	for y := range 200 {
		for x := 300; x < 600; x++ {
			if r, g, b, _ := picture.At(x, y).RGBA(); r+g+b != 3*0xffff {
				t.Fatalf("something was drawn at %d,%d", x, y)
			}
		}
	}
	if err := plot.Tiles(io.Discard, [][]*plot.Plot{{nil}}); err == nil {
		t.Error("no plots were drawn")
	}
}

// Axes begin and end with powers of ten, and are never empty.
func TestDecades(t *testing.T) {
	for _, test := range []struct{ low, high, from, to float64 }{
		{1, 900, 1, 1000}, {1, 1000, 1, 1000}, {0.003, 42, 0.001, 100}, {1e-3, 1e-3, 1e-3, 1e-2}, {7, 7, 1, 10}, {1e-6, 2e-6, 1e-6, 1e-5},
	} {
		a := plot.Decades("", test.low, test.high)
		if math.Abs(a.Low/test.from-1) > 1e-9 || math.Abs(a.High/test.to-1) > 1e-9 || !a.Logarithmic {
			t.Errorf("from %g to %g: %g to %g, expected %g to %g", test.low, test.high, a.Low, a.High, test.from, test.to)
		}
	}
}

// Numbers at an axis are few, whole where they must be, and there are some within a decade, too.
func TestNumbersAtAxes(t *testing.T) {
	for _, test := range []struct {
		axis plot.Axis
		want string
	}{
		{plot.Axis{High: 1, Whole: true}, "0 1"},
		{plot.Axis{High: 7, Whole: true}, "0 1 2 3 4 5 6 7"},
		{plot.Axis{High: 1234, Whole: true}, "0 200 400 600 800 1000 1200"},
		{plot.Axis{Low: -1, High: 1}, "-1 -0.5 0 0.5 1"},
		{plot.Decades("", 1, 1e3), "1 10 100 1000"},
		{plot.Decades("", 1, 1e15), "1 100 10000 1e+06 1e+08 1e+10 1e+12 1e+14"},
		{plot.Axis{Low: 1.5, High: 8, Logarithmic: true}, "2 5"},
	} {
		p := plot.Plot{X: test.axis, Y: plot.Decades("", 1, 10), Width: 400, Height: 100}
		p.Series = []plot.Series{{Points: []plot.Point{{X: 1, Y: 1}}}}
		var b bytes.Buffer
		if err := p.SVG(&b); err != nil {
			t.Fatal(err)
		}
		var numbers []string
		for _, part := range strings.Split(b.String(), "<text")[1:] {
			text, _, _ := strings.Cut(part, "</text>")
			text = text[strings.Index(text, ">")+1:]
			if _, err := strconv.ParseFloat(text, 64); err == nil {
				numbers = append(numbers, text)
			}
		}
		if got := strings.Join(numbers, " "); !strings.HasPrefix(got, test.want+" 1 10") && got != test.want+" 1 10" {
			t.Errorf("%+v: %s, expected %s, and 1 10 of the other axis", test.axis, got, test.want)
		}
	}
}

// Axes without an extent, and logarithms of nothing, are errors.
func TestWrongAxes(t *testing.T) {
	good := plot.Decades("", 1, 10)
	for _, a := range []plot.Axis{{}, {Low: 2, High: 1}, {Low: 0, High: 1, Logarithmic: true}, {High: math.NaN()}, {High: math.Inf(1)}} {
		for _, p := range []plot.Plot{{X: a, Y: good, Width: 100, Height: 100}, {X: good, Y: a, Width: 100, Height: 100}} {
			p.Series = []plot.Series{{Points: []plot.Point{{X: 1, Y: 1}}}}
			if p.SVG(io.Discard) == nil || p.PNG(io.Discard) == nil {
				t.Errorf("%+v was drawn", a)
			}
		}
	}
}
