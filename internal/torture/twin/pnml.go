package twin

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
)

// pnmlNode is an element of a document; what the net does not need is left out.
type pnmlNode struct {
	XMLName     xml.Name
	ID          string     `xml:"id,attr"`
	Source      string     `xml:"source,attr"`
	Target      string     `xml:"target,attr"`
	Type        string     `xml:"type,attr"`
	Capacity    *string    `xml:"capacity>text"`
	Marking     *string    `xml:"initialMarking>text"`
	Inscription *string    `xml:"inscription>text"`
	Children    []pnmlNode `xml:",any"`
}

// ReadNet reads a place/transition net of one or more pages. It understands what
// the chamber writes, not all of PNML.
//
// Arcs are kept until all nodes are known, as they may stand before these. Several arcs between
// two nodes are added up.
func ReadNet(text []byte) (*Net, error) {
	var document pnmlNode
	if err := xml.NewDecoder(bytes.NewReader(text)).Decode(&document); err != nil {
		return nil, err
	}
	n := NewNet()
	var arcs []pnmlNode
	transitions := map[string]int{}
	var visit func(node pnmlNode) error
	visit = func(node pnmlNode) error {
		switch node.XMLName.Local {
		case "place":
			tokens, err := number(node.Marking, 0)
			if err != nil {
				return fmt.Errorf("place %s: %w", node.ID, err)
			}
			p := n.AddPlace(node.ID, tokens)
			if node.Capacity != nil {
				if n.Capacities[p], err = number(node.Capacity, 0); err != nil {
					return fmt.Errorf("place %s: %w", node.ID, err)
				}
			}
		case "transition":
			transitions[node.ID] = n.AddTransition(node.ID, nil, nil)
		case "arc":
			arcs = append(arcs, node)
		case "pnml", "net", "page":
			for _, c := range node.Children {
				if err := visit(c); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if err := visit(document); err != nil {
		return nil, err
	}
	return n, n.connect(arcs, transitions)
}

// connect adds the arcs to the net.
func (n *Net) connect(arcs []pnmlNode, transitions map[string]int) error {
	reads := map[int][]Arc{}
	for _, a := range arcs {
		weight, err := number(a.Inscription, 1)
		if err != nil {
			return fmt.Errorf("arc %s: %w", a.ID, err)
		}
		if t, ok := transitions[a.Target]; ok {
			place, ok := n.Places[a.Source]
			if !ok {
				return fmt.Errorf("arc %s: no place %q", a.ID, a.Source)
			}
			switch arc := (Arc{place[0], weight}); a.Type {
			case "inhibitor":
				n.Inhibitors[t] = append(n.Inhibitors[t], arc)
			case "reset":
				n.Resets[t] = append(n.Resets[t], place[0])
			case "read":
				reads[t] = append(reads[t], arc)
			default:
				n.Inputs[t] = append(n.Inputs[t], arc)
			}
			continue
		}
		t, ok := transitions[a.Source]
		place, isPlace := n.Places[a.Target]
		if !ok || !isPlace {
			return fmt.Errorf("arc %s: %q and %q are no place and transition", a.ID, a.Source, a.Target)
		}
		n.Outputs[t] = append(n.Outputs[t], Arc{place[0], weight})
	}
	for t := range n.Inputs {
		n.Inputs[t], n.Outputs[t] = merged(n.Inputs[t]), merged(n.Outputs[t])
		n.read(t, reads[t])
	}
	return nil
}

// read adds read arcs to transition t, which has its other arcs. If it needs more than it takes by an input
// arc, it takes the rest and gives it back.
func (n *Net) read(t int, arcs []Arc) {
	needed := map[int]int64{}
	for _, a := range n.Inputs[t] {
		needed[a.Place] = a.Weight
	}
	for _, a := range arcs {
		if more := a.Weight - needed[a.Place]; more > 0 {
			needed[a.Place] = a.Weight
			more := Arc{a.Place, more}
			n.Inputs[t], n.Outputs[t] = append(n.Inputs[t], more), append(n.Outputs[t], more)
		}
	}
	n.Inputs[t], n.Outputs[t] = merged(n.Inputs[t]), merged(n.Outputs[t])
}

func number(text *string, otherwise int64) (int64, error) {
	if text == nil {
		return otherwise, nil
	}
	return strconv.ParseInt(strings.TrimSpace(*text), 10, 64)
}
