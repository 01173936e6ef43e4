import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'GO-INT-01',
    bad: [
      `package app

import (
	"strconv"
)

func Amount(text string) int32 {
	amount, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return int32(amount) // ← here
}
`,
      `package app

import (
	"net/http"
	"strconv"
)

func Handle(w http.ResponseWriter, r *http.Request) {
	port, _ := strconv.ParseInt(r.FormValue("port"), 10, 64)
	use(uint16(port)) // ← here
}
`,
      `package app

import (
	"strconv"
)

func Price(text string) uint32 {
	price, err := strconv.ParseUint(text, 10, 0)
	if err != nil {
		return 0
	}
	return uint32(price) // ← here
}
`,
    ],
    good: [
      `package app

import (
	"strconv"
)

func Amount(text string) int32 {
	amount, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0
	}
	return int32(amount)
}
`,
      `package app

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
`,
      `package app

import (
	"strconv"
)

func Amount(text string) int64 {
	amount, _ := strconv.Atoi(text)
	return int64(amount)
}
`,
    ],
  },
]
