package app

import (
	"math/rand"
)

const letters = "abcdefghijklmnopqrstuvwxyz"

func NewToken() string {
	out := make([]byte, 32)
	for i := range out {
		out[i] = letters[rand.Intn(len(letters))] // ← here
	}
	return string(out)
}
