package app

import (
	"crypto/rand"
)

func NewToken() []byte {
	out := make([]byte, 32)
	rand.Read(out)
	return out
}
