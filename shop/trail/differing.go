package trail

// Differing returns the names of the fields in which two records differ.
type Differing []string

// Unless adds the name of a field if same is false.
func (d *Differing) Unless(same bool, name string) {
	if !same {
		*d = append(*d, name)
	}
}
