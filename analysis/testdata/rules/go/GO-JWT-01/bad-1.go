package app

import (
	"github.com/golang-jwt/jwt/v5"
)

var key = []byte("very secret words")

func Sign(token *jwt.Token) (string, error) {
	return token.SignedString(key) // ← here
}
