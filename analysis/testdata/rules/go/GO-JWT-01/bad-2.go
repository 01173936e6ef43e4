package app

import (
	"github.com/golang-jwt/jwt/v5"
)

func Sign(claims jwt.Claims) {
	token := jwt.NewWithClaims(jwt.SigningMethodHS256, claims)
	signed, err := token.SignedString([]byte("very secret words")) // ← here
	_, _ = signed, err
}
