import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'GO-LOG-01',
    bad: [
      `package app

import (
	"log"
)

func SignIn(user, password string) {
	log.Printf("sign-in of %s with %s", user, password) // ← here
}
`,
      `package app

import (
	"log"
)

type Config struct{ APIKey string }

func Start(config Config) {
	log.Println("using key", config.APIKey) // ← here
}
`,
      `package app

import (
	"log/slog"
)

func Call(clientSecret string) {
	slog.Info("calling", "secret", clientSecret) // ← here
}
`,
    ],
    good: [
      `package app

import (
	"log"
)

func SignIn(user, password string) {
	log.Printf("sign-in of %s", user)
}
`,
      `package app

import (
	"log"
)

func Check(password string) {
	log.Printf("password of %d signs", len(password))
}
`,
      `package app

import (
	"log"
)

func Start(tokens int) {
	log.Println("tokens", tokens)
}
`,
    ],
  },
]
