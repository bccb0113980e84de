package told

// Kind is the kind of a question, as JSON has it.
type Kind string

// The kinds of questions.
const (
	LTL       Kind = "ltl"
	Automaton Kind = "automaton"
	CTL       Kind = "ctl"
	Reachable Kind = "reachable"
	Invariant Kind = "invariant"
	Bound     Kind = "bound"
	Deadlock  Kind = "deadlock"
	Live      Kind = "live"
	QuasiLive Kind = "quasi-live"
	Safe      Kind = "safe"
	Stable    Kind = "stable"
)

// Verdicts as JSON has them. That of a number is Value.
const (
	Holds    = "holds"
	Violated = "violated"
	Unknown  = "unknown"
	Value    = "value"
)
