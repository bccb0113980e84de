package petri

// Point is a position in a drawing: X grows to the right, Y downwards.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// Drawing says where the nodes of a net lie, by their identifiers, and where arcs bend,
// by the identifiers of what they connect.
type Drawing struct {
	Nodes map[string]Point
	Bends map[[2]string][]Point
}
