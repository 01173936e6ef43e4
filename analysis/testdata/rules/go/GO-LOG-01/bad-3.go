package app

import (
	"log/slog"
)

func Call(clientSecret string) {
	slog.Info("calling", "secret", clientSecret) // ← here
}
