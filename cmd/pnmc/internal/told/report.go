package told

import (
	"math/big"
	"strings"
)

// Report is what is told of a check: the object that --format json prints.
type Report struct {
	Name                string  `json:"name"`
	Verdict             string  `json:"verdict"`
	Reason              string  `json:"reason"`
	States              Count   `json:"states"`
	Transitions         Count   `json:"transitions"`
	ProductStates       Count   `json:"product_states"`
	ProductTransitions  int64   `json:"product_transitions"`
	ExploredStates      int64   `json:"explored_states"`
	ExploredTransitions int64   `json:"explored_transitions"`
	LabelCacheHits      int64   `json:"label_cache_hits"`
	LabelCacheLastHits  int64   `json:"label_cache_last_hits"` // of the hits, those of the marking asked about last
	LabelCacheMisses    int64   `json:"label_cache_misses"`
	Threads             int     `json:"threads,omitempty"` // that searched, if more than one
	Seconds             float64 `json:"seconds"`
	PeakRSSBytes        int64   `json:"peak_rss_bytes"`
	Rounds              int     `json:"rounds,omitempty"`
	PeakNodes           int     `json:"peak_nodes,omitempty"`
	Trace               *Run    `json:"trace"`

	Techniques string `json:"-"` // as the line has them
	NoRoom     error  `json:"-"` // why the limits have no room for the run, or nil
}

// Count is a number that may be too large for 64 bits; nil is zero.
type Count struct{ *big.Int }

// Whole returns a count that fits 64 bits.
func Whole(n int64) Count { return Count{big.NewInt(n)} }

// MarshalJSON returns the number.
func (n Count) MarshalJSON() ([]byte, error) {
	if n.Int == nil {
		return []byte("0"), nil
	}
	return n.Int.MarshalJSON()
}

// UnmarshalJSON reads the number again.
func (n *Count) UnmarshalJSON(text []byte) error {
	n.Int = new(big.Int)
	return n.Int.UnmarshalJSON(text)
}

// ExplicitTechniques are the contest's words for what explicit exploration uses.
const ExplicitTechniques = "EXPLICIT STATE_COMPRESSION"

// SymbolicTechniques are the contest's words for what countSymbolically uses.
const SymbolicTechniques = "DECISION_DIAGRAMS"

// InWords returns a report as a sentence, such as that of an Answer.
func (r *Report) InWords(file string) string {
	a := Answer{Name: r.Name, Kind: LTL, Verdict: r.Verdict, Techniques: strings.Fields(r.Techniques), Seconds: r.Seconds, Trace: r.Trace}
	return a.InWords(file)
}
