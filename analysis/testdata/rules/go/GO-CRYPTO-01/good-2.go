package app

import (
	"golang.org/x/crypto/chacha20poly1305"
)

func Open(key []byte) {
	chacha20poly1305.New(key)
}
