// Package spc computes what a control chart shows: mean and standard deviation, control limits of individual values or of subgroups, the
// points that break a rule of a named set, and capability. It knows nothing of units, steps and databases.
//
// Values come as decimal texts. Sample keeps their exact differences from the first one, so that a mean of ten million does not cost the
// digits in which the values differ: the certified values of NIST's univariate sets, NumAcc4 among them, are held to every digit that
// is certified. Constants are those of the normal distribution to twelve digits (constants.go), not the rounded ones of textbooks.
//
//	sample.go     values, their mean and standard deviation
//	constants.go  d2 and d3 for ranges of 2 to 10 values, and what follows from them
//	chart.go      control limits: individuals and moving range, mean and range
//	rules.go      the named sets of rules
//	capability.go Cp, Cpk, Pp and Ppk
package spc
