// Package asking puts questions to a task. In come questions as the user asked them; out come,
// on the task's ledger, atoms, formulas of CTL, and formulas and automata of linear time, over
// the nodes of the task's net and simplified by what is proven of it. What the initial marking
// shows is answered at once. Engines decide the rest.
package asking
