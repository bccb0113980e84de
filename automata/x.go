package automata
