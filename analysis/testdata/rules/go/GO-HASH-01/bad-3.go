package app

import (
	"crypto/md5"
)

func Hash(userPassword, salt string) [16]byte {
	return md5.Sum([]byte(salt + userPassword)) // ← here
}
