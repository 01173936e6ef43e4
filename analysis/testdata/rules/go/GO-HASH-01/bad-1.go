package app

import (
	"crypto/md5"
)

func Hash(password string) [16]byte {
	return md5.Sum([]byte(password)) // ← here
}
