package picture

import (
	"cmp"
	"slices"

	"pnmc/internal/account"
)

// Bounds of the search for an order: how often it goes over all layers, how often without
// getting better, and how many steps of work it takes in all.
const (
	mostSweeps    = 24
	mostIdle      = 5
	mostOrderWork = 20_000_000
)

// sortLayers orders each layer such that few arcs cross. It goes from left to right and
// back, and moves each vertex to the median of its neighbours in the layer beside it.
// Neighbours change places where that helps. The best order found is kept.
//
// To find the order with the fewest crossings is NP-hard even for two layers. Medians are the usual
// way out: for two layers, one of which is fixed, they give at most three times as many crossings
// as need be (P. Eades, N. Wormald, 1994). Exchanges of neighbours repair what medians leave; each
// exchange is counted exactly. Sweeps go on while they help, up to the bounds above.
func (d *drawing) sortLayers() error {
	if err := d.firstOrder(); err != nil {
		return err
	}
	best, fewest := d.copyLayers(), d.crossings()
	work := 0
	for sweep, idle := 0, 0; sweep < mostSweeps && idle < mostIdle && fewest > 0 && work < mostOrderWork; sweep++ {
		for i := range d.layers {
			if sweep%2 == 0 {
				d.sortLayer(i, d.left)
			} else {
				d.sortLayer(len(d.layers)-1-i, d.right)
			}
			n := 8 * len(d.layers[i])
			work += n
			if err := d.account.Charge(n); err != nil {
				return err
			}
		}
		for i := range d.layers {
			n := d.transpose(i)
			work += n
			if err := d.account.Charge(n); err != nil {
				return err
			}
		}
		idle++
		if n := d.crossings(); n < fewest {
			best, fewest, idle = d.copyLayers(), n, 0
		}
		work += 8 * len(d.rank)
	}
	d.layers = best
	d.number()
	return nil
}

// firstOrder puts vertices into their layers in the order of a search in breadth from the
// left.
func (d *drawing) firstOrder() error {
	seen := make([]bool, len(d.rank))
	visit := func(first int) error {
		queue := []int{first}
		seen[first] = true
		for i := 0; i < len(queue); i++ {
			v := queue[i]
			d.layers[d.rank[v]] = append(d.layers[d.rank[v]], v)
			for _, list := range [][]int{d.right[v], d.left[v]} {
				for _, next := range list {
					if !seen[next] {
						seen[next] = true
						queue = append(queue, next)
					}
				}
			}
			if err := d.account.Charge(account.EdgeWork * (1 + len(d.right[v]))); err != nil {
				return err
			}
		}
		return nil
	}
	for v := range d.rank {
		if !seen[v] {
			if err := visit(v); err != nil {
				return err
			}
		}
	}
	d.number()
	return nil
}

// number notes the place of each vertex in its layer.
func (d *drawing) number() {
	for _, layer := range d.layers {
		for i, v := range layer {
			d.place[v] = i
		}
	}
}

// copyLayers returns the present order of all layers, to come back to.
func (d *drawing) copyLayers() [][]int {
	list := make([][]int, len(d.layers))
	for i, layer := range d.layers {
		list[i] = slices.Clone(layer)
	}
	return list
}

// sortLayer orders a layer by the medians of neighbours. Vertices without any stay where
// they are.
func (d *drawing) sortLayer(i int, neighbours [][]int) {
	layer := d.layers[i]
	type keyed struct {
		vertex int
		median float64
	}
	var moving []keyed
	for _, v := range layer {
		if m, ok := d.median(neighbours[v]); ok {
			moving = append(moving, keyed{v, m})
		}
	}
	slices.SortStableFunc(moving, func(a, b keyed) int { return cmp.Compare(a.median, b.median) })
	next := 0
	for j, v := range layer {
		if len(neighbours[v]) > 0 {
			layer[j] = moving[next].vertex
			next++
		}
	}
	for j, v := range layer {
		d.place[v] = j
	}
}

// median returns the middle of the places of neighbours, false if there are none. For an even
// number of them it lies between the two in the middle, nearer to where they are dense, as Gansner
// and others weigh it. For places 0, 1, 2 and 10 it is 1.1.
func (d *drawing) median(neighbours []int) (float64, bool) {
	if len(neighbours) == 0 {
		return 0, false
	}
	places := make([]int, len(neighbours))
	for i, v := range neighbours {
		places[i] = d.place[v]
	}
	slices.Sort(places)
	n := len(places)
	m := n / 2
	switch {
	case n%2 == 1:
		return float64(places[m]), true
	case n == 2:
		return float64(places[0]+places[1]) / 2, true
	}
	left, right := float64(places[m-1]-places[0]), float64(places[n-1]-places[m])
	if left+right == 0 {
		return float64(places[m-1]+places[m]) / 2, true
	}
	return (float64(places[m-1])*right + float64(places[m])*left) / (left + right), true
}

// mostCompared bounds the neighbours of two vertices that transpose compares.
const mostCompared = 64

// transpose exchanges vertices of a layer that stand beside each other, where fewer arcs
// cross then. It returns how many steps it took.
func (d *drawing) transpose(i int) int {
	layer, work := d.layers[i], 0
	for j := 1; j < len(layer); j++ {
		a, b := layer[j-1], layer[j]
		before, after := 0, 0
		for _, side := range [][][]int{d.left, d.right} {
			if len(side[a])*len(side[b]) > mostCompared*mostCompared {
				continue
			}
			for _, x := range side[a] {
				for _, y := range side[b] {
					switch work++; {
					case d.place[x] > d.place[y]:
						before++
					case d.place[x] < d.place[y]:
						after++
					}
				}
			}
		}
		if after < before {
			layer[j-1], layer[j] = b, a
			d.place[a], d.place[b] = j, j-1
		}
	}
	return work + len(layer)
}

// crossings counts how often arcs between neighbouring layers cross. Two arcs cross if the one that
// begins higher ends lower. So the arcs are taken in the order of their left ends, and of each those
// before it are counted whose right ends lie further down. Arcs of one vertex do not cross: all its
// ends are counted before they are added. A Fenwick tree over the places on the right adds and counts
// in logarithmic time, so that all takes arcs × log(places) rather than arcs².
func (d *drawing) crossings() int {
	total := 0
	var tree []int
	var ends []int
	for i := 1; i < len(d.layers); i++ {
		n := len(d.layers[i])
		tree = append(tree[:0], make([]int, n+1)...)
		count := 0
		for _, v := range d.layers[i-1] {
			ends = ends[:0]
			for _, w := range d.right[v] {
				ends = append(ends, d.place[w])
			}
			for _, end := range ends {
				upTo := 0
				for k := end + 1; k > 0; k -= k & -k {
					upTo += tree[k]
				}
				total += count - upTo
			}
			for _, end := range ends {
				for k := end + 1; k <= n; k += k & -k {
					tree[k]++
				}
				count++
			}
		}
	}
	return total
}
