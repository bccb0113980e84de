#!/bin/sh
# A translator with a mistake, to be found by comparing it with others: it reads U
# as W in the formula, its last argument, and leaves the rest to a right one. Names
# of propositions must have no U.
set -e
count=$#
while [ "$count" -gt 1 ]; do
	argument=$1
	shift
	set -- "$@" "$argument"
	count=$((count - 1))
done
formula=$(printf '%s' "$1" | sed 's/U/W/g')
shift
exec "$@" "$formula"
