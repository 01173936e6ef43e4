import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'GO-HASH-01',
    bad: [
      `package app

import (
	"crypto/md5"
)

func Hash(password string) [16]byte {
	return md5.Sum([]byte(password)) // ← here
}
`,
      `package app

import (
	"crypto/sha1"
)

type User struct{ Password string }

func Hash(user User) [20]byte {
	return sha1.Sum([]byte(user.Password)) // ← here
}
`,
      `package app

import (
	"crypto/md5"
)

func Hash(userPassword, salt string) [16]byte {
	return md5.Sum([]byte(salt + userPassword)) // ← here
}
`,
    ],
    good: [
      `package app

import (
	"crypto/md5"
)

func ETag(body []byte) [16]byte {
	return md5.Sum(body)
}
`,
      `package app

import (
	"golang.org/x/crypto/bcrypt"
)

func Hash(password string) ([]byte, error) {
	return bcrypt.GenerateFromPassword([]byte(password), 12)
}
`,
      `package app

import (
	"crypto/sha256"
)

func Key(token string) [32]byte {
	return sha256.Sum256([]byte(token))
}
`,
    ],
  },
  {
    rule: 'GO-CRYPTO-01',
    bad: [
      `package app

import (
	"crypto/des"
)

func Open(key []byte) {
	des.NewCipher(key) // ← here
}
`,
      `package app

import (
	"crypto/rc4"
)

func Open(key []byte) {
	cipher, err := rc4.NewCipher(key) // ← here
	_, _ = cipher, err
}
`,
      `package app

import (
	"crypto/des"
)

func Open(key []byte) {
	des.NewTripleDESCipher(key) // ← here
}
`,
    ],
    good: [
      `package app

import (
	"crypto/aes"
)

func Open(key []byte) {
	aes.NewCipher(key)
}
`,
      `package app

import (
	"golang.org/x/crypto/chacha20poly1305"
)

func Open(key []byte) {
	chacha20poly1305.New(key)
}
`,
      `package app

import (
	"example.com/des"
)

func Open(key []byte) {
	des.NewCipher(key)
}
`,
    ],
  },
  {
    rule: 'GO-JWT-01',
    bad: [
      `package app

import (
	"github.com/golang-jwt/jwt/v5"
)

var key = []byte("very secret words")

func Sign(token *jwt.Token) (string, error) {
	return token.SignedString(key) // ← here
}
`,
      `package app

import (
	"github.com/golang-jwt/jwt/v5"
)

func Sign(claims jwt.Claims) {
	token := jwt.NewWithClaims(jwt.SigningMethodHS256, claims)
	signed, err := token.SignedString([]byte("very secret words")) // ← here
	_, _ = signed, err
}
`,
      `package app

import (
	"github.com/golang-jwt/jwt/v5"
)

const secret = "very" + "secret"

func Sign(token *jwt.Token) (string, error) {
	return token.SignedString([]byte(secret)) // ← here
}
`,
    ],
    good: [
      `package app

import (
	"github.com/golang-jwt/jwt/v5"
	"os"
)

func Sign(token *jwt.Token) (string, error) {
	return token.SignedString([]byte(os.Getenv("JWT_KEY")))
}
`,
      `package app

import (
	"github.com/golang-jwt/jwt/v5"
)

func Sign(token *jwt.Token, key []byte) (string, error) {
	return token.SignedString(key)
}
`,
      `package app

import (
	"github.com/golang-jwt/jwt/v5"
)

type Signer struct{ key []byte }

func (s *Signer) Sign(token *jwt.Token) (string, error) {
	return token.SignedString(s.key)
}
`,
    ],
  },
]
