package app

import (
	"crypto/sha1"
)

type User struct{ Password string }

func Hash(user User) [20]byte {
	return sha1.Sum([]byte(user.Password)) // ← here
}
