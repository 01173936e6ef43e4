import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'GO-TLS-01',
    bad: [
      `package app

import (
	"crypto/tls"
	"net/http"
)

var client = &http.Client{Transport: &http.Transport{
	TLSClientConfig: &tls.Config{
		InsecureSkipVerify: true, // ← here
	},
}}
`,
      `package app

import (
	"crypto/tls"
)

func Dial() {
	config := &tls.Config{}
	config.InsecureSkipVerify = true // ← here
	tls.Dial("tcp", "bank.example.com:443", config)
}
`,
      `package app

import (
	"crypto/tls"
)

const skip = true

func Config() *tls.Config {
	return &tls.Config{InsecureSkipVerify: skip, MinVersion: tls.VersionTLS12} // ← here
}
`,
    ],
    good: [
      `package app

import (
	"crypto/tls"
)

func Config() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12}
}
`,
      `package app

import (
	"crypto/tls"
)

func Config(verify func(tls.ConnectionState) error) *tls.Config {
	return &tls.Config{InsecureSkipVerify: true, VerifyConnection: verify}
}
`,
      `package app

import (
	"crypto/tls"
)

func Config(insecure bool) *tls.Config {
	return &tls.Config{InsecureSkipVerify: insecure}
}
`,
    ],
  },
]
