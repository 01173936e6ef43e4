package app

import (
	"example.com/des"
)

func Open(key []byte) {
	des.NewCipher(key)
}
