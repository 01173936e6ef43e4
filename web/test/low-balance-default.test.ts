import { customer } from '@cowrie/testkit/payments/topup-fixture.ts'
import { expect, test } from 'vitest'
import { type Currency, currencies, describeCurrency } from '../../server/src/kernel/money.ts'
import { ROUND_AMOUNTS } from '../src/screens/wallet/top-up/round-amounts.ts'
import { startApp } from './app.ts'

const app = startApp()

test.for(currencies.map((code): [Currency] => [code]))(
  'the default low-balance threshold in %s is below every offered top-up',
  async ([code]) => {
    const { body } = await app.server.call<{ lowBalanceThresholdMinor: number }>('GET', '/wallet/settings', {
      as: await customer(app.server, code),
    })
    const offered = (ROUND_AMOUNTS[code] ?? []).map(
      (whole) => whole * BigInt(describeCurrency(code).minorUnit),
    )
    expect(offered).toHaveLength(3)
    expect(body.lowBalanceThresholdMinor).toBeGreaterThan(0)
    for (const minor of offered) expect(BigInt(body.lowBalanceThresholdMinor)).toBeLessThan(minor)
  },
)
