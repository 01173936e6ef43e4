package app

import (
	"log"
)

func Start(tokens int) {
	log.Println("tokens", tokens)
}
