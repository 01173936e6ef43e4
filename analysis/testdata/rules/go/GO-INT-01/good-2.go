package app

import (
	"math"
	"strconv"
)

func Amount(text string) int32 {
	amount, err := strconv.Atoi(text)
	if err != nil || amount > math.MaxInt32 || amount < 0 {
		return 0
	}
	return int32(amount)
}
