package app

import (
	"crypto/rc4"
)

func Open(key []byte) {
	cipher, err := rc4.NewCipher(key) // ← here
	_, _ = cipher, err
}
