import { expect, test } from 'vitest'
import { currencies, describeCurrency } from '../../../../server/src/kernel/money.ts'
import { currencyOf } from './currencies.ts'

test('the currencies match those of the service', () => {
  for (const code of currencies) {
    const { symbol, minorUnit } = describeCurrency(code)
    expect(currencyOf(code)).toMatchObject({ code, symbol, minorUnit })
  }
})

test('an unknown currency is shown in minor units', () => {
  expect(currencyOf('ABC')).toMatchObject({ symbol: 'ABC (minor)', minorUnit: 1 })
})
