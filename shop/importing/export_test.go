package importing

// InParts makes an import end each part after this much work.
func (in Input) InParts(work int64) Input {
	in.part = work
	return in
}
