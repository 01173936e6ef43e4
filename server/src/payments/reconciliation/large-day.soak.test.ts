// A day of 100,000 payments with 50 planted differences.
import { startFakePaystack } from '@cowrie/testkit/fakes/payments/paystack.ts'
import { startTestServer } from '@cowrie/testkit/harness/harness.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import {
  addToProvider,
  type Credit,
  insertCredits,
  newCredit,
  openDifferences,
  reconcileDay,
} from '@cowrie/testkit/payments/reconciliation-world.ts'
import { expect } from 'vitest'

const PAYMENTS = 100_000
const PLANTED = 50

soakTest('100,000 payments: the 50 planted differences are found, and none is invented', async () => {
  const paystack = await startFakePaystack()
  const server = await startTestServer({ variables: paystack.variables })
  try {
    const person = await server.person()
    const credits = Array.from({ length: PAYMENTS }, () => newCredit())
    for (let start = 0; start < PAYMENTS; start += 10_000)
      await insertCredits(server, person, credits.slice(start, start + 10_000))
    addToProvider(paystack, credits)
    const planted = Array.from({ length: PLANTED }, (_, at) =>
      plant(credits[at * (PAYMENTS / PLANTED)] as Credit, at),
    )
    const run = await reconcileDay(server)
    expect(await openDifferences(server)).toEqual(planted.sort())
    expect(run).toMatchObject({ state: 'complete', counts: { matched: PAYMENTS - PLANTED, explained: {} } })
  } finally {
    await server.close()
    await paystack.close()
  }

  function plant({ reference, ...credit }: Credit, at: number): string {
    if (at % 4 === 0) paystack.remove(reference)
    if (at % 4 === 1)
      addToProvider(paystack, [{ ...credit, reference, amountMinor: credit.amountMinor + 1n }])
    if (at % 4 === 2) paystack.override(reference, { currency: 'USD' })
    if (at % 4 === 3)
      addToProvider(paystack, [{ ...credit, reference, transactionId: newCredit().transactionId }])
    return `${['not_listed', 'amount', 'currency', 'reference'][at % 4]} ${reference}`
  }
})
