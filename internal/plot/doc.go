// Package plot draws measurements: points and lines between two axes.
//
// In come series of points, out go pictures in SVG or PNG. Callers are experiment, batches/grading
// and some tests. The drawing itself is that of the chartdraw library. Its fonts are compressed,
// and are decoded when the first plot is drawn: a program that draws nothing pays nothing for them.
//
//	plot.go    what a plot is, and its pictures
//	axis.go    where values lie on an axis, and its ticks
//	marks.go   lines, marks and the legend
package plot
