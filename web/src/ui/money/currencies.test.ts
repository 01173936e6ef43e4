import { expect, test } from 'vitest'
import { currencies, describeCurrency } from '../../../../server/src/kernel/money.ts'
import { currencyOf } from './currencies.ts'

test('every currency of the service is known here as it is there', () => {
  for (const code of currencies) {
    const { symbol, minorUnit } = describeCurrency(code)
    expect(currencyOf(code)).toMatchObject({ code, symbol, minorUnit })
  }
})

test('one that is not known is written in minor units', () => {
  expect(currencyOf('ABC')).toMatchObject({ symbol: 'ABC (minor)', minorUnit: 1 })
})
