package app

import (
	"math/rand"
	"time"
)

func Retry() {
	jitter := time.Duration(rand.Intn(100)) * time.Millisecond
	time.Sleep(jitter)
}
