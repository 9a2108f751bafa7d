package spc

import "math"

// SubgroupMost is the maximum number of values in a subgroup. The range of more values is a poor measure of their spread.
const SubgroupMost = 10

// rangeConstants returns the mean (d2) and the standard deviation (d3) of the range of n values from the standard normal distribution.
func rangeConstants(n int) (d2, d3 float64) {
	table := [SubgroupMost + 1][2]float64{
		2: {1.128379167096, 0.852502466427}, 3: {1.692568750643, 0.888368004045}, 4: {2.058750746008, 0.879808202825},
		5: {2.325928947281, 0.864081941100}, 6: {2.534412721223, 0.848039686117}, 7: {2.704356751214, 0.833205335622},
		8: {2.847200612091, 0.819831489792}, 9: {2.970026324418, 0.807834274553}, 10: {3.077505461670, 0.797050673519},
	}
	return table[n][0], table[n][1]
}

// factorsOfRange returns D3 and D4: the control limits of a range, as multiples of the mean range.
func factorsOfRange(n int) (lower, upper float64) {
	d2, d3 := rangeConstants(n)
	return max(0, 1-3*d3/d2), 1 + 3*d3/d2
}

// factorOfMean returns A2: the distance of the control limits from the centre for means of n values, in mean ranges.
func factorOfMean(n int) float64 {
	d2, _ := rangeConstants(n)
	return 3 / (d2 * math.Sqrt(float64(n)))
}
