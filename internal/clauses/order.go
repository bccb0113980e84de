package clauses

// order is a heap of variables, the most active one first. Activity grows with each conflict that a
// variable takes part in, and what is older counts less. Of equal ones the first comes first.
type order struct {
	heap     []Variable
	at       []int32 // by variable: where in the heap, or -1
	activity []float64
	step     float64 // what a conflict counts
}

// Activities are scaled down when one is above mostActivity. A step grows by a part of 1/decayed.
const (
	mostActivity = 1e100
	decayed      = 0.95
)

// add adds a new variable, the next in number.
func (o *order) add(v Variable) {
	if o.step == 0 {
		o.step = 1
	}
	o.at = append(o.at, -1)
	o.activity = append(o.activity, 0)
	o.push(v)
}

// push puts v in, if it is not there.
func (o *order) push(v Variable) {
	if o.at[v] >= 0 {
		return
	}
	o.at[v] = int32(len(o.heap))
	o.heap = append(o.heap, v)
	o.up(len(o.heap) - 1)
}

// pop takes the most active one out.
func (o *order) pop() (v Variable, ok bool) {
	if len(o.heap) == 0 {
		return 0, false
	}
	v = o.heap[0]
	o.at[v] = -1
	last := o.heap[len(o.heap)-1]
	o.heap = o.heap[:len(o.heap)-1]
	if len(o.heap) > 0 {
		o.heap[0], o.at[last] = last, 0
		o.down(0)
	}
	return v, true
}

// raise makes v more active.
func (o *order) raise(v Variable) {
	if o.activity[v] += o.step; o.activity[v] > mostActivity {
		for i := range o.activity {
			o.activity[i] /= mostActivity
		}
		o.step /= mostActivity
	}
	if o.at[v] >= 0 {
		o.up(int(o.at[v]))
	}
}

// decay makes what comes count more than what was.
func (o *order) decay() { o.step /= decayed }

// before reports whether v is decided before w.
func (o *order) before(v, w Variable) bool {
	return o.activity[v] > o.activity[w] || o.activity[v] == o.activity[w] && v < w
}

func (o *order) up(i int) {
	v := o.heap[i]
	for i > 0 {
		parent := (i - 1) / 2
		if !o.before(v, o.heap[parent]) {
			break
		}
		o.heap[i] = o.heap[parent]
		o.at[o.heap[i]] = int32(i)
		i = parent
	}
	o.heap[i], o.at[v] = v, int32(i)
}

func (o *order) down(i int) {
	v := o.heap[i]
	for {
		child := 2*i + 1
		if child >= len(o.heap) {
			break
		}
		if child+1 < len(o.heap) && o.before(o.heap[child+1], o.heap[child]) {
			child++
		}
		if !o.before(o.heap[child], v) {
			break
		}
		o.heap[i] = o.heap[child]
		o.at[o.heap[i]] = int32(i)
		i = child
	}
	o.heap[i], o.at[v] = v, int32(i)
}
