package app

import (
	"crypto/des"
)

func Open(key []byte) {
	des.NewTripleDESCipher(key) // ← here
}
