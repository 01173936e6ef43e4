package app

import (
	"crypto/tls"
)

func Dial() {
	config := &tls.Config{}
	config.InsecureSkipVerify = true // ← here
	tls.Dial("tcp", "bank.example.com:443", config)
}
