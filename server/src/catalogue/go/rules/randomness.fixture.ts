import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'GO-RAND-01',
    bad: [
      `package app

import (
	"math/rand"
)

const letters = "abcdefghijklmnopqrstuvwxyz"

func NewToken() string {
	out := make([]byte, 32)
	for i := range out {
		out[i] = letters[rand.Intn(len(letters))] // ← here
	}
	return string(out)
}
`,
      `package app

import (
	"fmt"
	"math/rand"
)

func Send() {
	otp := fmt.Sprintf("%06d", rand.Intn(1000000)) // ← here
	_ = otp
}
`,
      `package app

import mrand "math/rand"

func ResetPassword() int {
	return mrand.Int() // ← here
}
`,
    ],
    good: [
      `package app

import (
	"crypto/rand"
)

func NewToken() []byte {
	out := make([]byte, 32)
	rand.Read(out)
	return out
}
`,
      `package app

import (
	"math/rand"
	"time"
)

func Retry() {
	jitter := time.Duration(rand.Intn(100)) * time.Millisecond
	time.Sleep(jitter)
}
`,
      `package app

import (
	"math/rand"
)

func Pick(servers []string) string {
	return servers[rand.Intn(len(servers))]
}
`,
    ],
  },
]
