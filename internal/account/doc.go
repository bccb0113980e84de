// Package account keeps the account of memory and time of a question.
//
// In come a budget, the context of a question, and charges for the work done for it. Out comes
// the reason to stop: that of the context, or a *MemoryError. Whoever stores states, fires
// transitions, fills tables or looks at edges charges what that costs, in bytes written or
// nanoseconds, whichever is more. After each mebibyte of charges, which is some milliseconds at
// most, comes a look at the clock and at the memory of the process. So limits hold however much a
// single step costs, and looks cost nothing that can be measured.
//
// Memory is that of the process: what other questions hold beside counts too.
//
// Garbage counts as well. The collector alone does not keep it down: once it has taken half the time
// of the processors, for which waiting for a busy processor counts, it lets everyone allocate on. So
// whoever leaves garbage asks for memory too, by an account or by Reason: while garbage is collected,
// a look waits. What can't ask uses its slices again.
//
// The files:
//
//	account                           charges, and looks when enough has come together
//	work                              what steps of a product cost
//	budget                            limits of memory, and what is free
//	context                           budgets that contexts carry
//	asking                            contexts that a limit of a reader ends
//	heap, inuse_linux, inuse_other    the memory of the process
//	watch                             looks again and again until one fails
//	pace                              work that gives way to other work
//	looks                             contexts that end after a number of looks, for tests
package account
