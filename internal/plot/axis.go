package plot

import (
	"fmt"
	"math"
	"strconv"

	"github.com/go-analyze/charts/chartdraw"
)

// Axis says what one direction of a plot means.
type Axis struct {
	Label       string
	Low, High   float64
	Logarithmic bool // then Low is above 0
	Whole       bool // has ticks at whole numbers only
}

// Decades returns a logarithmic axis that begins and ends with powers of ten, and on which
// all values between low and high lie.
func Decades(label string, low, high float64) Axis {
	from, to := math.Floor(exponent(low)), math.Ceil(exponent(high))
	return Axis{Label: label, Low: math.Pow(10, from), High: math.Pow(10, max(to, from+1)), Logarithmic: true}
}

// exponent returns the logarithm of v to the base of ten: a whole number for what is all but a
// power of ten, such as 1e-3.
func exponent(v float64) float64 {
	e := math.Log10(v)
	if whole := math.Round(e); math.Abs(e-whole) < 1e-9 {
		return whole
	}
	return e
}

// place returns where v lies between the ends of the axis: 0 is the lower one, 1 the higher one.
// Values beyond the ends lie there.
func (a Axis) place(v float64) float64 {
	low, high := a.Low, a.High
	v = max(low, min(high, v))
	if a.Logarithmic {
		v, low, high = math.Log10(v), math.Log10(low), math.Log10(high)
	}
	return (v - low) / (high - low)
}

// mostLabels bounds the labels of an axis, so that they do not lie on each other.
const mostLabels = 8

// ticks returns the ticks of the axis in order. Those without a label are the smaller ones.
func (a Axis) ticks() []chartdraw.Tick {
	if a.Logarithmic {
		return a.powers()
	}
	step := math.Pow(10, math.Floor(math.Log10((a.High-a.Low)/mostLabels)))
	for _, factor := range []float64{1, 2, 5, 10} {
		if (a.High-a.Low)/(step*factor) <= mostLabels {
			step *= factor
			break
		}
	}
	if a.Whole {
		step = max(1, math.Round(step))
	}
	var ticks []chartdraw.Tick
	for i := math.Ceil(a.Low / step); i*step <= a.High; i++ {
		ticks = append(ticks, chartdraw.Tick{Value: i * step, Label: label(i * step)})
	}
	return ticks
}

// powers returns a tick for each power of ten on the axis, and for multiples between them. Where
// there are many powers not each has a label; where there is one at most, the multiples
// have some.
func (a Axis) powers() []chartdraw.Tick {
	from, to := math.Floor(exponent(a.Low)), math.Ceil(exponent(a.High))
	every := math.Ceil((to - from + 1) / mostLabels)
	few := math.Floor(exponent(a.High))-math.Ceil(exponent(a.Low)) < 1
	var ticks []chartdraw.Tick
	for e := from; e <= to; e++ {
		for _, digit := range []float64{1, 2, 3, 4, 5, 6, 7, 8, 9} {
			t := chartdraw.Tick{Value: digit * math.Pow(10, e)}
			if t.Value < a.Low*(1-1e-9) || t.Value > a.High*(1+1e-9) {
				continue
			}
			if digit == 1 && math.Mod(e-from, every) == 0 || few && (digit == 2 || digit == 5) {
				t.Label = label(t.Value)
			}
			ticks = append(ticks, t)
		}
	}
	return ticks
}

// label returns a number as an axis shows it: 0.001, 1000 and 1e+06.
func label(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// grid returns lines at the ticks that have a label.
func (a Axis) grid() []chartdraw.GridLine {
	var lines []chartdraw.GridLine
	for _, t := range a.ticks() {
		if t.Label != "" {
			lines = append(lines, chartdraw.GridLine{Value: t.Value})
		}
	}
	return lines
}

// scale returns the axis as the library asks for it.
func (a Axis) scale() *scale { return &scale{axis: a} }

// A scale is an axis on a picture, as a chartdraw.Range: its length is in pixels.
type scale struct {
	axis   Axis
	length int
}

var (
	_ chartdraw.Range         = (*scale)(nil)
	_ chartdraw.TicksProvider = (*scale)(nil)
)

// Translate returns how far from the beginning v lies.
func (s *scale) Translate(v float64) int {
	return int(math.Round(s.axis.place(v) * float64(s.length)))
}

// GetTicks returns the ticks of the axis, whatever the library would write at them.
func (s *scale) GetTicks(chartdraw.ValueFormatter) []chartdraw.Tick { return s.axis.ticks() }

// The rest of chartdraw.Range. The ends are fixed.

func (s *scale) GetMin() float64      { return s.axis.Low }
func (s *scale) GetMax() float64      { return s.axis.High }
func (s *scale) GetDelta() float64    { return s.axis.High - s.axis.Low }
func (s *scale) SetMin(float64)       {}
func (s *scale) SetMax(float64)       {}
func (s *scale) GetDomain() int       { return s.length }
func (s *scale) SetDomain(length int) { s.length = length }
func (s *scale) IsZero() bool         { return false }
func (s *scale) IsDescending() bool   { return false }
func (s *scale) String() string       { return fmt.Sprintf("%g to %g", s.axis.Low, s.axis.High) }
