// Package states numbers the states of products of a state graph and an automaton, and has the
// limits of such products. In come pairs of a graph state and an automaton state; out come the
// numbers that searches give them, in arrays that never move. The product of plain automata, in
// package product, and that of testing automata, in package stuttering, use it.
package states
