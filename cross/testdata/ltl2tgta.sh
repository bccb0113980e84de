#!/bin/sh
# Prints what Spot's ltl2tgta would draw for the formula that is the last argument, of
# which it knows four. With an argument "damaged" before it, a line is missing, and
# with "wrong" it is the drawing of another formula.
set -e
for formula; do :; done
case $formula in
'GF"p1>=2"') drawing=recurrence ;;
'!GF"p1>=2"' | 'FG!"p1>=2"') drawing=recurrence-negated ;;
'!busy W done') drawing=weak-until-gta ;;
'!(!busy W done)' | 'busy M !done') drawing=weak-until-negated-ta ;;
*)
	echo "no drawing of $formula" >&2
	exit 2
	;;
esac
case $1 in
damaged) sed 4d "../dot/testdata/spot/$drawing.dot" ;;
wrong) sed 's/{0}/{}/' "../dot/testdata/spot/$drawing.dot" ;;
*) cat "../dot/testdata/spot/$drawing.dot" ;;
esac
