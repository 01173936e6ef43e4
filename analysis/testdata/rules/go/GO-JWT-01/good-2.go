package app

import (
	"github.com/golang-jwt/jwt/v5"
)

func Sign(token *jwt.Token, key []byte) (string, error) {
	return token.SignedString(key)
}
