package app

import (
	"crypto/des"
)

func Open(key []byte) {
	des.NewCipher(key) // ← here
}
