package spc

import (
	"fmt"
	"math"
	"math/big"
)

// Sample is a list of values in the order in which they were read.
type Sample struct {
	origin  float64
	offsets []float64 // from the first value, each computed exactly before it is rounded
}

// NewSample reads values that are decimal numbers. It fails for any other text.
func NewSample(values []string) (Sample, error) {
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

// Len is how many values there are.
func (s Sample) Len() int { return len(s.offsets) }

// At is the value in a place.
func (s Sample) At(i int) float64 { return s.origin + s.offsets[i] }

// Mean is the mean of the values, 0 for none.
func (s Sample) Mean() float64 { return s.origin + mean(s.offsets) }

// Deviation is the standard deviation of the values, with n-1; 0 for fewer than two.
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
		rest.add(d) // 0, but for what rounding the mean has left
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

// sum adds numbers and keeps what rounding loses (Neumaier).
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
