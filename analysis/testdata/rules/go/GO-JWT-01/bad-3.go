package app

import (
	"github.com/golang-jwt/jwt/v5"
)

const secret = "very" + "secret"

func Sign(token *jwt.Token) (string, error) {
	return token.SignedString([]byte(secret)) // ← here
}
