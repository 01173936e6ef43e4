package app

import (
	"strconv"
)

func Amount(text string) int64 {
	amount, _ := strconv.Atoi(text)
	return int64(amount)
}
