// Package spc computes the contents of control charts: mean and standard deviation, control limits of individual values or of subgroups,
// the points that break a rule of a named set, and capability. It does not depend on units, steps or databases.
//
// Values come as decimal texts. Sample stores their exact differences from the first value, so that values around ten million keep the
// digits in which they differ: the results match all certified digits of NIST's univariate data sets, including NumAcc4. Constants are
// those of the normal distribution to twelve digits (constants.go), not the rounded constants of textbooks.
//
//	sample.go     values, their mean and standard deviation
//	constants.go  d2 and d3 for ranges of 2 to 10 values, and what follows from them
//	chart.go      control limits: individuals and moving range, mean and range
//	rules.go      the named sets of rules
//	capability.go Cp, Cpk, Pp and Ppk
package spc
