package app

import (
	"crypto/aes"
)

func Open(key []byte) {
	aes.NewCipher(key)
}
