// Package process says how processes that this one starts end with it, and tells what an
// ended one took of the machine.
package process
