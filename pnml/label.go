package pnml

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/beevik/etree"
)

// text returns what a label says: its <text>, else its <value> (PIPE), else the characters that it
// holds itself. It reports false if there is none of these. Then the label has its default.
func (p *parser) text(label *etree.Element) (string, bool) {
	var holder *etree.Element
	for _, child := range label.Child {
		child, ok := child.(*etree.Element)
		switch {
		case !ok:
		case child.Tag != "text" && child.Tag != "value" && label.Tag == "name":
			// Names mean nothing to the net: whatever else is in them is let pass.
		case child.Tag != "text" && child.Tag != "value":
			p.add(p.positions[child], "<%s> in <%s>, expected <text>", child.Tag, label.Tag)
		case holder != nil:
			p.add(p.positions[child], "second <%s> in <%s>, expected one", child.Tag, label.Tag)
		default:
			holder = child
		}
	}
	if holder == nil {
		text := strings.TrimSpace(label.Text())
		return text, text != ""
	}
	for _, child := range holder.Child {
		if child, ok := child.(*etree.Element); ok {
			p.add(p.positions[child], "<%s> in <%s>, expected characters only", child.Tag, holder.Tag)
		}
	}
	return strings.TrimSpace(holder.Text()), true
}

// count returns the number that a label holds, from least to 2^63-1. It returns absent if the label
// says nothing, has an empty text, or is wrong, which is a finding. PIPE writes pairs of a token
// class and its count, as in "Default,5,Red,0". They are accepted as long as the whole net uses one
// class.
func (p *parser) count(label *etree.Element, least, absent int64) int64 {
	text, _ := p.text(label)
	if text == "" {
		return absent
	}
	if text[0] == '[' || text[0] == ']' || text[0] == '(' {
		p.add(p.positions[label], "<%s> is %s%s: intervals of time cannot be honoured, expected an integer", label.Tag, quote(text), owner(label))
		return absent
	}
	if strings.Count(text, ",")%2 == 1 {
		pairs := text
		text = "0"
		for rest, more := pairs, true; more; {
			var class, number string
			class, rest, _ = strings.Cut(rest, ",")
			number, rest, more = strings.Cut(rest, ",")
			class, number = strings.TrimSpace(class), strings.TrimSpace(number)
			switch {
			case class == "" || class[0] >= '0' && class[0] <= '9':
				p.add(p.positions[label], "<%s> is %s, expected an integer", label.Tag, quote(pairs))
				return absent
			case number == "0":
			case p.tokenClass == "" || p.tokenClass == class:
				p.tokenClass, text = class, number
			default:
				p.add(p.positions[label], "<%s> has tokens of class %s, expected the class %s only",
					label.Tag, quote(class), quote(p.tokenClass))
				return absent
			}
		}
	}
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil || number < least {
		p.add(p.positions[label], "<%s> is %s, expected an integer from %d to 2^63-1",
			label.Tag, quote(text), least)
		return absent
	}
	return number
}

// owner returns the words for messages that name the node of a label.
func owner(label *etree.Element) string {
	node := label.Parent()
	if node == nil || node.SelectAttr("id") == nil {
		return ""
	}
	return fmt.Sprintf(" in <%s> %s", node.Tag, quote(node.SelectAttrValue("id", "")))
}

// choice returns the value of a label that picks one of a few words, given as an
// attribute value or as text, in lower case.
func (p *parser) choice(label *etree.Element) string {
	if a := label.SelectAttr("value"); a != nil {
		return strings.ToLower(strings.TrimSpace(a.Value))
	}
	text, _ := p.text(label)
	return strings.ToLower(text)
}
