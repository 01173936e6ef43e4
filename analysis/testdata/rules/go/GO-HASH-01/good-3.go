package app

import (
	"crypto/sha256"
)

func Key(token string) [32]byte {
	return sha256.Sum256([]byte(token))
}
