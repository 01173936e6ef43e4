package app

import (
	"github.com/golang-jwt/jwt/v5"
	"os"
)

func Sign(token *jwt.Token) (string, error) {
	return token.SignedString([]byte(os.Getenv("JWT_KEY")))
}
