package app

import (
	"github.com/golang-jwt/jwt/v5"
)

type Signer struct{ key []byte }

func (s *Signer) Sign(token *jwt.Token) (string, error) {
	return token.SignedString(s.key)
}
