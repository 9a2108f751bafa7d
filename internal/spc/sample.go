package spc

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// Sample is a list of values in the order in which they were read.
type Sample struct {
	origin  float64
	offsets []float64 // differences from the first value, each computed exactly and then rounded
}

// NewSample parses values, which must be decimal numbers. It fails for any other text.
func NewSample(values []string) (Sample, error) {
	if sample, ok := newScaled(values); ok {
		return sample, nil
	}
	sample := Sample{offsets: make([]float64, len(values))}
	var first *big.Rat
	for i, text := range values {
		value, ok := new(big.Rat).SetString(text)
		if !ok {
			return Sample{}, fmt.Errorf("%q is no decimal number", text)
		}
		if i == 0 {
			first = value
			sample.origin, _ = value.Float64()
			continue
		}
		sample.offsets[i], _ = value.Sub(value, first).Float64()
	}
	return sample, nil
}

// newScaled parses values as whole multiples of a power of ten, which is much faster than rational numbers. The difference of two multiples
// is exact, and is rounded once when it is divided. It returns false if a value is not such a multiple, or has more digits than a float64
// can represent exactly.
func newScaled(values []string) (Sample, bool) {
	const digitsMost = 15
	scale := 0
	for _, text := range values {
		if _, fraction, found := strings.Cut(text, "."); found {
			scale = max(scale, len(fraction))
		}
	}
	if len(values) == 0 || scale > digitsMost {
		return Sample{}, false
	}
	divisor := math.Pow10(scale) // exact up to 22
	sample := Sample{offsets: make([]float64, len(values))}
	var first int64
	for i, text := range values {
		whole, fraction, _ := strings.Cut(text, ".")
		digits := strings.TrimLeft(whole+fraction, "+-")
		multiple, err := strconv.ParseInt(whole+fraction+strings.Repeat("0", scale-len(fraction)), 10, 64)
		if err != nil || digits == "" || len(digits)+scale-len(fraction) > digitsMost {
			return Sample{}, false
		}
		if i == 0 {
			first = multiple
			sample.origin = float64(multiple) / divisor
			continue
		}
		sample.offsets[i] = float64(multiple-first) / divisor
	}
	return sample, true
}

// Len returns the number of values.
func (s Sample) Len() int { return len(s.offsets) }

// At returns the value at an index.
func (s Sample) At(i int) float64 { return s.origin + s.offsets[i] }

// Mean returns the mean of the values, 0 for none.
func (s Sample) Mean() float64 { return s.origin + mean(s.offsets) }

// Deviation returns the standard deviation of the values, with n-1; 0 for fewer than two.
func (s Sample) Deviation() float64 {
	n := float64(len(s.offsets))
	if n < 2 {
		return 0
	}
	middle := mean(s.offsets)
	squares, rest := sum{}, sum{}
	for _, offset := range s.offsets {
		d := offset - middle
		squares.add(d * d)
		rest.add(d) // 0 except for the rounding error of the mean
	}
	left := rest.value()
	return math.Sqrt(max(0, squares.value()-left*left/n) / (n - 1))
}

func mean(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	total := sum{}
	for _, value := range values {
		total.add(value)
	}
	return total.value() / float64(len(values))
}

// sum adds numbers and compensates for rounding errors (Neumaier).
type sum struct{ total, lost float64 }

func (s *sum) add(value float64) {
	total := s.total + value
	if math.Abs(s.total) >= math.Abs(value) {
		s.lost += (s.total - total) + value
	} else {
		s.lost += (value - total) + s.total
	}
	s.total = total
}

func (s *sum) value() float64 { return s.total + s.lost }
