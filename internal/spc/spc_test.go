package spc

import (
	"math"
	"math/big"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func sampleOf(t *testing.T, values ...string) Sample {
	t.Helper()
	sample, err := NewSample(values)
	if err != nil {
		t.Fatal(err)
	}
	return sample
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.Abs(got-want) > within {
		t.Errorf("%s is %.15g, want %.15g", what, got, want)
	}
}

// numAcc returns one of the NIST data sets NumAcc2 to NumAcc4: a value, then 500 pairs of values a tenth below and a tenth above it.
func numAcc(middle, below, above string) []string {
	values := []string{middle}
	for range 500 {
		values = append(values, below, above)
	}
	return values
}

// NIST's Statistical Reference Datasets, univariate summary statistics, to all certified digits.
func TestCertifiedValues(t *testing.T) {
	t.Parallel()
	for name, set := range map[string]struct {
		values     []string
		mean, sd   float64
		meanWithin float64
	}{
		"NumAcc1": {[]string{"10000001", "10000003", "10000002"}, 10000002, 1, 0},
		"NumAcc2": {numAcc("1.2", "1.1", "1.3"), 1.2, 0.1, 1e-15},
		"NumAcc3": {numAcc("1000000.2", "1000000.1", "1000000.3"), 1000000.2, 0.1, 1e-9},
		"NumAcc4": {numAcc("10000000.2", "10000000.1", "10000000.3"), 10000000.2, 0.1, 1e-8},
	} {
		sample := sampleOf(t, set.values...)
		near(t, name+": the mean", sample.Mean(), set.mean, set.meanWithin)
		near(t, name+": the standard deviation", sample.Deviation(), set.sd, 1e-15)
	}
	for name, certified := range map[string]struct{ mean, sd, sdWithin float64 }{
		"michelso": {299.852400000000, 0.0790105478190518, 5e-17},
		"mavro":    {2.00185600000000, 0.000429123454003053, 5e-19},
		"lew":      {-177.435000000000, 277.332168044316, 5e-13},
	} {
		text, err := os.ReadFile("testdata/" + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		sample := sampleOf(t, strings.Fields(string(text))...)
		near(t, name+": the mean", sample.Mean(), certified.mean, math.Abs(certified.mean)*1e-15)
		near(t, name+": the standard deviation", sample.Deviation(), certified.sd, certified.sdWithin)
	}
}

// The one-pass formula of textbooks fails for NumAcc4, which shows that the test above can fail.
func TestOnePassLosesNumAcc4(t *testing.T) {
	t.Parallel()
	total, squares := 0.0, 0.0
	values := numAcc("10000000.2", "10000000.1", "10000000.3")
	for _, text := range values {
		value, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		total, squares = total+value, squares+value*value
	}
	n := float64(len(values))
	if sd := math.Sqrt(max(0, squares-total*total/n) / (n - 1)); math.Abs(sd-0.1) < 1e-3 {
		t.Errorf("one pass finds %v", sd)
	}
}

// The individuals chart of NIST's e-Handbook, 6.3.2.2, whose constant d2 is rounded to 1.128; these are the limits with the exact constant.
func TestIndividuals(t *testing.T) {
	t.Parallel()
	sample := sampleOf(t, "49.6", "47.6", "49.9", "51.3", "47.8", "51.2", "52.6", "52.4", "53.6", "52.1")
	chart := NewChart(sample, 1)
	near(t, "the centre", chart.Limits.Centre, 50.81, 1e-12)
	near(t, "the mean moving range", chart.Spread.Centre, 1.8777777777777778, 1e-12)
	near(t, "the upper limit", chart.Limits.Upper, 55.8024, 5e-5)
	near(t, "the upper limit with d2 of the handbook", 50.81+3*chart.Spread.Centre/1.128, 55.8041, 5e-5)
	near(t, "the upper limit of the moving range", chart.Spread.Upper, 1.8777777777777778*3.266531919, 1e-6)
	near(t, "the standard deviation", sample.Deviation(), 2.0339, 5e-5)
	if chart.Spread.Lower != 0 || len(chart.Spreads) != 10 || chart.Spreads[0] != 0 {
		t.Errorf("moving ranges: %+v", chart)
	}
}

// Constants of ranges, compared with the integrals that define them, and with the rounded values that NIST prints.
func TestConstants(t *testing.T) {
	t.Parallel()
	printed := map[int][3]float64{ // A2, D3, D4
		2: {1.880, 0, 3.267}, 3: {1.023, 0, 2.575}, 4: {0.729, 0, 2.282}, 5: {0.577, 0, 2.115}, 6: {0.483, 0, 2.004}, 7: {0.419, 0.076, 1.924},
		8: {0.373, 0.136, 1.864}, 9: {0.337, 0.184, 1.816}, 10: {0.308, 0.223, 1.777},
	}
	for n := 2; n <= SubgroupMost; n++ {
		const step, far = 0.01, 9.0
		d2, squares := 0.0, 0.0
		for x := -far; x <= far; x += step {
			below, above := 0.5*math.Erfc(-x/math.Sqrt2), 0.5*math.Erfc(x/math.Sqrt2)
			d2 += step * (1 - math.Pow(below, float64(n)) - math.Pow(above, float64(n)))
		}
		const coarse = 0.05
		for x := -far; x <= far; x += coarse {
			for y := x; y <= far; y += coarse {
				a, b, over := 0.5*math.Erfc(-x/math.Sqrt2), 0.5*math.Erfc(-y/math.Sqrt2), 0.5*math.Erfc(x/math.Sqrt2)
				weight := 2.0
				if y == x { // half of a cell on the diagonal
					weight = 1
				}
				squares += weight * coarse * coarse * (1 - math.Pow(b, float64(n)) - math.Pow(over, float64(n)) + math.Pow(b-a, float64(n)))
			}
		}
		exact, d3 := rangeConstants(n)
		near(t, "d2 of "+strconv.Itoa(n), exact, d2, 1e-9)
		near(t, "d3 of "+strconv.Itoa(n), d3, math.Sqrt(squares-d2*d2), 2e-3)
		lower, upper := factorsOfRange(n)
		near(t, "A2 of "+strconv.Itoa(n), factorOfMean(n), printed[n][0], 6e-4)
		near(t, "D3 of "+strconv.Itoa(n), lower, printed[n][1], 6e-4)
		near(t, "D4 of "+strconv.Itoa(n), upper, printed[n][2], 6e-4)
	}
}

// Each rule is broken by its own pattern, at its last point, and not by one point fewer.
func TestRules(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		set  RuleSet
		z    []float64
		want []int // at the last point
	}{
		"beyond three":      {WesternElectric, []float64{0.1, -0.1, 3.1}, []int{1}},
		"on three":          {WesternElectric, []float64{3}, nil},
		"eight above":       {WesternElectric, []float64{-1, .1, .2, .1, .3, .1, .2, .1, .2}, []int{4}},
		"seven above":       {WesternElectric, []float64{-1, .1, .2, .1, .3, .1, .2, .1}, nil},
		"eight, one at 0":   {WesternElectric, []float64{.1, .2, .1, 0, .1, .2, .1, .2}, nil},
		"no two of three":   {WesternElectric, []float64{2.5, 0, 2.5}, nil},
		"nine below":        {Nelson, []float64{-.1, -.2, -.1, -.3, -.1, -.2, -.1, -.2, -.1}, []int{2}},
		"six rising":        {Nelson, []float64{-.5, -.3, -.1, .1, .3, .5}, []int{3}},
		"five rising":       {Nelson, []float64{-.3, -.1, .1, .3, .5}, nil},
		"fourteen in turns": {Nelson, []float64{.5, -.5, .5, -.5, .5, -.5, .5, -.5, .5, -.5, .5, -.5, .5, -.5}, []int{4}},
		"two of three":      {Nelson, []float64{2.5, 0, 2.5}, []int{5}},
		"one of each side":  {Nelson, []float64{2.5, 0, -2.5}, nil},
		"four of five":      {Nelson, []float64{1.5, 1.5, -.5, 1.5, 1.5}, []int{6}},
		"fifteen within":    {Nelson, []float64{.5, -.5, -.6, .5, .6, -.5, -.6, .5, .6, -.5, -.6, .5, .6, -.5, -.6}, []int{7}},
		"eight outside":     {Nelson, []float64{1.5, -1.5, -1.6, 1.5, 1.6, -1.5, -1.6, 1.5}, []int{8}},
	} {
		chart := Chart{Points: row.z, Limits: Limits{-3, 0, 3}}
		broken := chart.Broken(row.set)
		if got := broken[len(broken)-1]; !slices.Equal(got, row.want) {
			t.Errorf("%s: %v, want %v", name, got, row.want)
		}
	}
	if broken := (Chart{Points: []float64{1, 1, 1}, Limits: Limits{1, 1, 1}}).Broken(Nelson); broken[2] != nil {
		t.Errorf("nothing spreads, and %v are broken", broken)
	}
}

// The capability of NIST's e-Handbook, 6.1.6: limits 8 and 20, mean 16, standard deviation 2.
func TestCapability(t *testing.T) {
	t.Parallel()
	lower, upper := 8.0, 20.0
	var values []string
	for i := range 26 { // with a mean of 16, and a deviation that follows from n
		values = append(values, []string{"14", "18"}[i%2])
	}
	sample := sampleOf(t, values...)
	chart := Chart{Within: 2}
	c, ok := Capable(sample, chart, &lower, &upper)
	if !ok || c.N != 26 || !c.TwoSided {
		t.Fatalf("%+v, %v", c, ok)
	}
	near(t, "Cp", c.Cp, 1, 1e-12)
	near(t, "Cpk", c.Cpk, 2.0/3, 1e-12)
	near(t, "Pp", c.Pp, 12/(6*2*math.Sqrt(26.0/25)), 1e-12)
	near(t, "Ppk", c.Ppk, 4/(3*2*math.Sqrt(26.0/25)), 1e-12)
	if one, ok := Capable(sample, chart, nil, &upper); !ok || one.Cp != 0 || one.TwoSided || one.Cpk != c.Cpk {
		t.Errorf("with an upper limit alone: %+v, %v", one, ok)
	}
	for name, fails := range map[string]func() bool{
		"without limits":   func() bool { _, ok := Capable(sample, chart, nil, nil); return ok },
		"of 24 values":     func() bool { _, ok := Capable(sampleOf(t, values[:24]...), chart, &lower, &upper); return ok },
		"of what is equal": func() bool { _, ok := Capable(sample, Chart{}, &lower, &upper); return ok },
	} {
		if fails() {
			t.Errorf("a capability %s", name)
		}
	}
}

// Incomplete subgroups give no point. The means and ranges of full subgroups are those of their values.
func TestSubgroups(t *testing.T) {
	t.Parallel()
	chart := NewChart(sampleOf(t, "1", "3", "2", "5", "7", "6", "9"), 3)
	if !slices.Equal(chart.Points, []float64{2, 6}) || !slices.Equal(chart.Spreads, []float64{2, 2}) {
		t.Errorf("%+v", chart)
	}
	near(t, "the upper limit", chart.Limits.Upper, 4+1.023*2, 1e-3)
	near(t, "the upper limit of the range", chart.Spread.Upper, 2.574*2, 2e-3)
	for n := range 3 {
		for subgroup := 1; subgroup <= SubgroupMost; subgroup++ {
			if few := NewChart(sampleOf(t, []string{"1", "2"}[:min(n, 2)]...), subgroup); math.IsNaN(few.Limits.Upper) || few.Broken(Nelson) == nil && len(few.Points) > 0 {
				t.Errorf("%d values by %d: %+v", n, subgroup, few)
			}
		}
	}
	if _, err := NewSample([]string{"1", "pass"}); err == nil {
		t.Error("pass is a number")
	}
}

// newScaled gives the same result as exact numbers, which are used for values that newScaled cannot parse.
func TestScaledSample(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		values []string
		quick  bool
	}{
		{[]string{"12.500", "12.5", "-0.1", "+7", "99999999999.9999"}, true},
		{[]string{"0", "-0"}, true},
		{[]string{"1e1", "2"}, false},
		{[]string{"9007199254740993", "1"}, false},
		{[]string{"123456789012345.1", "1"}, false},
		{[]string{"1", "0.0000000000000001"}, false},
		{[]string{"1.-5", "1"}, false},
		{[]string{"1", ""}, false},
		{[]string{"1.5", ""}, false},
		{[]string{"1.5", "."}, false},
		{[]string{"1.5", "-"}, false},
		{[]string{"-.5", "1."}, true},
		{[]string{"pass"}, false},
		{nil, false},
	} {
		sample, quick := newScaled(test.values)
		if quick != test.quick {
			t.Errorf("%q is read quickly: %v", test.values, quick)
		}
		if !quick {
			continue
		}
		first, _ := new(big.Rat).SetString(test.values[0])
		for i, text := range test.values {
			value, _ := new(big.Rat).SetString(text)
			origin, _ := first.Float64()
			offset, _ := new(big.Rat).Sub(value, first).Float64()
			if sample.origin != origin || sample.offsets[i] != offset {
				t.Errorf("%q: %v + %v, want %v + %v", text, sample.origin, sample.offsets[i], origin, offset)
			}
		}
	}
}
