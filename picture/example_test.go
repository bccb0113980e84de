package picture_test

import (
	"context"
	"fmt"
	"strings"

	"pnmc/picture"
)

func ExampleGraph_Write() {
	g := picture.Graph{
		Title: "A net",
		Nodes: []picture.Node{
			{ID: "p", Shape: picture.Circle, Lines: []string{"p"}, Tokens: 1},
			{ID: "t", Shape: picture.Bar, Lines: []string{"t"}},
		},
		Edges: []picture.Edge{{From: 0, To: 1}},
	}
	var svg strings.Builder
	err := g.Write(context.Background(), &svg)
	fmt.Println(strings.HasPrefix(svg.String(), "<svg"), strings.Contains(svg.String(), "A net"), err)
	// Output: true true <nil>
}
