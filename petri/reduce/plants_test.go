package reduce

import (
	"maps"
	"slices"

	"pgregory.net/rapid"
)

// plants has for each rule what plants that which it looks for, in many forms and not always
// all of it.
var plants = map[string]func(*rapid.T, *plot){
	"dead transitions": func(t *rapid.T, n *plot) {
		u, p := n.transition(), n.place(rapid.Int64Range(0, 2).Draw(t, "few"))
		n.post[u][n.anyPlace(t)]++
		if rapid.Bool().Draw(t, "inhibited") { // by tokens that stay
			n.inhibitors[u][p] = rapid.Int64Range(1, 2).Draw(t, "below")
			n.kinds["inhibitor"] = true
			reader := n.anyTransition(t)
			n.pre[reader][p], n.post[reader][p] = 1, rapid.Int64Range(1, 2).Draw(t, "back")
			if rapid.IntRange(0, 2).Draw(t, "reset") == 0 {
				reader = n.anyTransition(t)
				n.resets[reader], n.kinds["reset"] = append(n.resets[reader], p), true
			}
			return
		}
		n.pre[u][p] = rapid.Int64Range(1, 3).Draw(t, "many")
	},
	"ample places": func(t *rapid.T, n *plot) {
		p := n.place(rapid.Int64Range(0, 3).Draw(t, "ample"))
		for range rapid.IntRange(0, 2).Draw(t, "readers") {
			u, weight := n.anyTransition(t), drawWeight(t)
			n.pre[u][p], n.post[u][p] = weight, weight
			if len(n.pre[u]) > 1 { // may take something elsewhere, and not fire for ever
				n.post[u][p] += rapid.Int64Range(-1, 2).Draw(t, "more")
			}
			if n.post[u][p] == 0 {
				delete(n.post[u], p)
			}
		}
	},
	"sources": func(t *rapid.T, n *plot) {
		u := n.transition() // with something to give there would be no end of markings
		if rapid.IntRange(0, 3).Draw(t, "needs") == 0 {
			n.pre[u][n.anyPlace(t)] = 1
		}
	},
	"idle transitions beside others": func(t *rapid.T, n *plot) {
		u, of := n.transition(), n.anyTransition(t)
		for _, p := range slices.Sorted(maps.Keys(n.pre[of])) {
			if weight := n.pre[of][p] + rapid.Int64Range(-1, 1).Draw(t, "more"); weight > 0 {
				n.pre[u][p], n.post[u][p] = weight, weight
			}
		}
		if rapid.Bool().Draw(t, "with") {
			p, weight := n.anyPlace(t), drawWeight(t)
			n.pre[u][p], n.post[u][p] = weight, weight
		}
		if rapid.IntRange(0, 7).Draw(t, "resets") == 0 {
			n.resets[u], n.kinds["reset"] = append(n.resets[u], n.anyPlace(t)), true
		}
	},
	"cycles of places": func(t *rapid.T, n *plot) {
		places := []int{n.place(rapid.Int64Range(0, 2).Draw(t, "tokens"))}
		if rapid.IntRange(0, 2).Draw(t, "old") == 0 {
			places[0] = n.oldPlace(t)
		}
		for range rapid.IntRange(1, 2).Draw(t, "more") {
			places = append(places, n.place(rapid.Int64Range(0, 2).Draw(t, "tokens")))
		}
		for i, p := range places {
			u := n.transition()
			n.pre[u][p] = rapid.SampledFrom([]int64{1, 1, 1, 1, 1, 1, 1, 2}).Draw(t, "taken")
			n.post[u][places[(i+1)%len(places)]] = 1
		}
		for range rapid.IntRange(0, 2).Draw(t, "around") {
			u := n.oldTransition(t)
			n.pre[u][rapid.SampledFrom(places).Draw(t, "from")] = drawWeight(t)
			if rapid.Bool().Draw(t, "on") {
				n.post[u][rapid.SampledFrom(places).Draw(t, "to")] = 1
			}
		}
	},
	"composed transitions": func(t *rapid.T, n *plot) {
		first, second, both := n.anyTransition(t), n.anyTransition(t), n.transition()
		maps.Copy(n.pre[both], n.pre[first])
		maps.Copy(n.post[both], n.post[first])
		for _, p := range slices.Sorted(maps.Keys(n.pre[second])) {
			used := min(n.pre[second][p], n.post[both][p])
			if n.post[both][p] -= used; n.post[both][p] == 0 {
				delete(n.post[both], p)
			}
			if more := n.pre[second][p] - used; more > 0 {
				n.pre[both][p] += more
			}
		}
		for _, p := range slices.Sorted(maps.Keys(n.post[second])) {
			n.post[both][p] += n.post[second][p]
		}
		switch p := n.anyPlace(t); rapid.IntRange(0, 11).Draw(t, "besides") {
		case 0: // the first needs more
			n.pre[first][p]++
			n.post[first][p]++
		case 1:
			n.inhibitors[second][p], n.kinds["inhibitor"] = 1, true
		case 2:
			n.resets[both], n.kinds["reset"] = append(n.resets[both], p), true
		}
		if rapid.IntRange(0, 3).Draw(t, "with") == 0 {
			p := n.anyPlace(t)
			n.pre[both][p]++
			n.post[both][p] += rapid.Int64Range(0, 1).Draw(t, "back")
			if n.post[both][p] == 0 {
				delete(n.post[both], p)
			}
		}
	},
	"implied places": func(t *rapid.T, n *plot) {
		p := n.place(rapid.Int64Range(0, 3).Draw(t, "tokens"))
		others := []int{n.anyPlace(t)}
		if others[0] == p || rapid.Bool().Draw(t, "two") {
			others = append(others, n.anyPlace(t))
		}
		for u := range n.transitions { // gives and takes what it does elsewhere, or more
			var taken, given int64
			for _, q := range others {
				if q != p {
					taken, given = taken+n.pre[u][q], given+n.post[u][q]
				}
			}
			less := min(taken, rapid.SampledFrom([]int64{0, 0, 0, 1}).Draw(t, "less"))
			if taken -= less; taken > 0 {
				n.pre[u][p] = taken
			}
			given += rapid.SampledFrom([]int64{-1, 0, 0, 0, 0, 0, 0, 1}).Draw(t, "more") - less
			if given > 0 {
				n.post[u][p] = given
			}
		}
	},
	"equal places": func(t *rapid.T, n *plot) {
		p := n.place(rapid.Int64Range(0, 3).Draw(t, "tokens"))
		others := []int{n.anyPlace(t)}
		if others[0] == p || rapid.Bool().Draw(t, "two") {
			others = append(others, n.anyPlace(t))
		}
		for u := range n.transitions {
			for _, q := range others {
				if q == p {
					continue
				}
				n.pre[u][p] += n.pre[u][q]
				n.post[u][p] += n.post[u][q]
			}
			if rapid.IntRange(0, 7).Draw(t, "looks") == 0 {
				n.pre[u][p]++
				n.post[u][p]++
			}
			if n.pre[u][p] == 0 {
				delete(n.pre[u], p)
			}
			if n.post[u][p] == 0 {
				delete(n.post[u], p)
			}
		}
	},
	"fed places": func(t *rapid.T, n *plot) {
		p := n.anyPlace(t)
		for range rapid.IntRange(1, 3).Draw(t, "row") {
			u, q := n.transition(), n.place(rapid.SampledFrom([]int64{0, 0, 0, 0, 0, 1}).Draw(t, "tokens"))
			n.pre[u][p], n.post[u][q] = 1, rapid.SampledFrom([]int64{1, 1, 1, 1, 1, 2}).Draw(t, "given")
			if rapid.Bool().Draw(t, "needed") {
				v := n.oldTransition(t)
				n.pre[v][q] = drawWeight(t)
				if rapid.IntRange(0, 5).Draw(t, "back") == 0 {
					n.post[v][q] = 1
				}
			}
			p = q
		}
	},
	"ending part": func(t *rapid.T, n *plot) {
		p := n.place(rapid.Int64Range(0, 2).Draw(t, "tokens"))
		if rapid.Bool().Draw(t, "fed") {
			n.post[n.oldTransition(t)][p] = drawWeight(t)
		}
		for range rapid.IntRange(1, 3).Draw(t, "steps") {
			u, q := n.transition(), n.place(0)
			n.pre[u][p], n.post[u][q] = drawWeight(t), drawWeight(t)
			if rapid.Bool().Draw(t, "looks") {
				at := n.anyPlace(t)
				n.pre[u][at]++
				n.post[u][at]++
			}
			if rapid.IntRange(0, 7).Draw(t, "resets") == 0 {
				n.resets[u], n.kinds["reset"] = append(n.resets[u], n.oldPlace(t)), true
			}
			if rapid.IntRange(0, 3).Draw(t, "takes") == 0 {
				n.pre[u][n.oldPlace(t)] = 1
			}
			if rapid.IntRange(0, 5).Draw(t, "gives") == 0 {
				n.post[u][n.oldPlace(t)] = 1
			}
			p = q
		}
	},
	"sink places": func(t *rapid.T, n *plot) {
		n.post[n.anyTransition(t)][n.place(0)] = drawWeight(t)
	},
	"idle transitions": func(t *rapid.T, n *plot) {
		u := n.transition()
		for range rapid.IntRange(0, 2).Draw(t, "read") {
			p, weight := n.anyPlace(t), drawWeight(t)
			n.pre[u][p], n.post[u][p] = weight, weight
		}
	},
	"draining transitions": func(t *rapid.T, n *plot) {
		u := n.transition()
		for range rapid.IntRange(1, 2).Draw(t, "drained") {
			n.pre[u][n.anyPlace(t)] = drawWeight(t)
		}
		n.post[u][n.anyPlace(t)] = 1
	},
	"irrelevant part": func(t *rapid.T, n *plot) {
		u := n.transition()
		n.pre[u][n.place(1)] = 1
		n.post[u][n.place(0)] = 1
		n.pre[u][n.anyPlace(t)] = 1
	},
	"dominated transitions": func(t *rapid.T, n *plot) {
		of, u := n.anyTransition(t), n.transition()
		maps.Copy(n.pre[u], n.pre[of])
		maps.Copy(n.post[u], n.post[of])
		for range rapid.IntRange(0, 1).Draw(t, "more") {
			p, weight := n.anyPlace(t), drawWeight(t)
			n.pre[u][p] += weight
			n.post[u][p] += weight
		}
		if rapid.Bool().Draw(t, "alike") {
			maps.Copy(n.inhibitors[u], n.inhibitors[of])
		}
	},
	"parallel places": func(t *rapid.T, n *plot) {
		of := n.anyPlace(t)
		p := n.place(n.tokens[of] + rapid.Int64Range(-1, 2).Draw(t, "more"))
		n.tokens[p] = max(0, n.tokens[p])
		for u := range n.transitions {
			if weight := n.pre[u][of]; weight > 0 {
				n.pre[u][p] = weight
			}
			if weight := n.post[u][of]; weight > 0 {
				n.post[u][p] = weight
			}
		}
	},
	"agglomeration after": func(t *rapid.T, n *plot) {
		plantAfter(t, n, rapid.Int64Range(0, 2).Draw(t, "before"), 1)
	},
	"agglomeration after choices": func(t *rapid.T, n *plot) {
		plantAfter(t, n, 0, rapid.IntRange(2, 3).Draw(t, "consumers"))
	},
	"agglomeration before":  func(t *rapid.T, n *plot) { plantBefore(t, n, true) },
	"free agglomeration":    func(t *rapid.T, n *plot) { plantBefore(t, n, false) },
	"partial agglomeration": plantPartly,
}

// plantAfter plants a place that some transitions produce on, or none, and new ones consume from.
func plantAfter(t *rapid.T, n *plot, tokens int64, consumers int) {
	p := n.place(tokens)
	for range rapid.IntRange(int(1-min(tokens, 1)), 2).Draw(t, "producers") {
		h := n.oldTransition(t)
		if rapid.IntRange(0, 2).Draw(t, "new") > 0 {
			h = n.transition()
			n.pre[h][n.oldPlace(t)] = drawWeight(t)
		}
		n.post[h][p] = 1
	}
	for range consumers {
		f := n.transition()
		n.pre[f][p] = 1
		for range rapid.IntRange(0, 2).Draw(t, "outputs") {
			n.post[f][n.oldPlace(t)] = 1
		}
	}
}

// plantBefore plants a place that new transitions produce on, one token and nothing else, from
// places of their own or from any, and that new ones consume from, with others' tokens or not. In
// both cases producers may look at a place, and consumers need what is there or not.
func plantBefore(t *rapid.T, n *plot, own bool) {
	p, from := n.place(0), n.oldPlace(t)
	at, looks := n.oldPlace(t), int64(0) // what producers look at
	if draw := rapid.IntRange(0, 2).Draw(t, "looks"); draw > 0 && (!own || draw > 1) {
		looks = drawWeight(t)
		if rapid.IntRange(0, 2).Draw(t, "there") > 0 {
			at, from = n.place(looks), n.place(1)
			if !own || rapid.IntRange(0, 3).Draw(t, "taken") == 0 {
				n.plantTaker(t, at, looks)
			}
		}
	}
	for range rapid.IntRange(1, 2).Draw(t, "producers") {
		if own {
			from = n.place(rapid.Int64Range(0, 2).Draw(t, "own"))
			if rapid.Bool().Draw(t, "fed") {
				n.post[n.oldTransition(t)][from] = 1
			}
		}
		h := n.transition()
		n.pre[h][from] = drawWeight(t)
		n.post[h][p] = 1
		if looks > 0 && at != from && rapid.IntRange(0, 5).Draw(t, "looks") > 0 {
			n.pre[h][at], n.post[h][at] = looks, looks
			if rapid.IntRange(0, 5).Draw(t, "more") == 0 {
				n.post[h][at]++
			}
		}
	}
	for range rapid.IntRange(1, 2).Draw(t, "consumers") {
		f := n.transition()
		n.pre[f][p] = 1
		if looks > 0 && rapid.IntRange(0, 2).Draw(t, "too") > 0 { // as many, or one less
			n.pre[f][at] = max(1, looks-rapid.Int64Range(0, 1).Draw(t, "less"))
			if rapid.Bool().Draw(t, "back") {
				n.post[f][at] = n.pre[f][at]
			}
		}
		if rapid.Bool().Draw(t, "with") {
			n.pre[f][n.oldPlace(t)] = 1
		}
		if rapid.Bool().Draw(t, "on") {
			n.post[f][n.oldPlace(t)] = 1
		}
	}
}

// plantPartly plants a place with one consumer, tokens at first or not, and producers that can wait for
// it or not.
func plantPartly(t *rapid.T, n *plot) {
	p := n.place(rapid.Int64Range(0, 1).Draw(t, "at first"))
	at, looks := n.place(rapid.Int64Range(1, 2).Draw(t, "there")), rapid.Int64Range(0, 2).Draw(t, "looks")
	taken := drawWeight(t)
	for range rapid.IntRange(1, 2).Draw(t, "producers") {
		h := n.transition()
		if rapid.IntRange(0, 3).Draw(t, "old") == 0 {
			h = n.oldTransition(t)
		}
		n.pre[h][n.oldPlace(t)] = drawWeight(t)
		n.post[h][p] = taken
		if looks > 0 && rapid.Bool().Draw(t, "does") {
			n.pre[h][at], n.post[h][at] = looks, looks
		}
		switch rapid.IntRange(0, 11).Draw(t, "besides") {
		case 0:
			n.post[h][p]++
		case 1:
			n.post[h][n.oldPlace(t)]++
		case 2:
			n.pre[h][p]++
		}
	}
	for range rapid.SampledFrom([]int{1, 1, 1, 1, 1, 2}).Draw(t, "consumers") {
		f := n.transition()
		n.pre[f][p] = taken
		if looks > 0 && rapid.Bool().Draw(t, "too") { // as many, or one less
			n.pre[f][at] = max(1, looks-rapid.Int64Range(0, 1).Draw(t, "less"))
		}
		if rapid.Bool().Draw(t, "with") {
			n.pre[f][n.oldPlace(t)] = 1
		}
		if rapid.Bool().Draw(t, "on") {
			n.post[f][n.anyPlace(t)]++
		}
	}
	if looks > 0 && rapid.Bool().Draw(t, "less there") {
		n.plantTaker(t, at, 1+looks/2)
	}
}

// plantTaker plants what may leave a place with fewer tokens: a transition, or a reset arc of one.
func (n *plot) plantTaker(t *rapid.T, p int, tokens int64) {
	switch rapid.IntRange(0, 5).Draw(t, "taker") {
	case 0:
	case 1:
		u := n.oldTransition(t)
		n.resets[u], n.kinds["reset"] = append(n.resets[u], p), true
	default:
		u := n.transition()
		n.pre[u][p] = tokens
		if left := rapid.Int64Range(0, tokens).Draw(t, "left"); left > 0 {
			n.post[u][p] = left
		}
		n.post[u][n.oldPlace(t)]++
	}
}
