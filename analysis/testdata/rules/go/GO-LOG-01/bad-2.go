package app

import (
	"log"
)

type Config struct{ APIKey string }

func Start(config Config) {
	log.Println("using key", config.APIKey) // ← here
}
