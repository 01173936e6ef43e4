// Customers with a card of the fake provider and money in the wallet, for tests of automatic top-up.
import type { FakePaystack } from '../fakes/payments/paystack.ts'
import type { Person, TestServer } from '../harness/harness.ts'
import { topUp, verify } from '../payments/topup-fixture.ts'
import { addCard } from './renewal.ts'

export type Customer = Person & { cardId: string; last4: string }
type Reply = {
  automaticTopup: null | {
    status: string
    pausedReason: string | null
    pausedDetail: string | null
    monthChargedMinor: bigint
    limitedUntil: string | null
    attempt: null | { reference: string; authorizationUrl: string | null }
  }
  code?: string
  fields?: { path: string; message: string }[]
}

export const TOPUP_RULE = { thresholdMinor: 50_000n, amountMinor: 200_000n, monthlyMaxMinor: 1_000_000n }

/** A customer with a card and ₦1,050.00. */
export async function cardCustomer(
  server: TestServer,
  bank: FakePaystack,
  type: 'individual' | 'team' = 'individual',
): Promise<Customer> {
  const person = await server.person({ type })
  const last4 = await addCard(server, bank, person)
  const { body } = await topUp(server, person, { amountMinor: 100_000n })
  bank.pay(body.reference)
  await verify(server, person, body.reference)
  server.clock.advance({ seconds: 1 })
  return { ...person, last4, cardId: await newestCardOf(server, person) }
}
export const newestCardOf = async (server: TestServer, { orgId }: Person): Promise<string> =>
  (
    await server.sql.one<{ id: string }>`
    select id from cards where org_id = ${orgId} and removed_at is null order by created_at desc, id desc limit 1`
  ).id

export const putRule = (
  server: TestServer,
  as: Customer,
  changes: object = {},
  by: { bearer: string } = as,
) =>
  server.call<Reply>('PUT', '/wallet/automatic-topup', {
    as: by,
    body: { ...TOPUP_RULE, cardId: as.cardId, ...changes },
  })
export const readRule = async (server: TestServer, as: Person) =>
  (await server.call<Reply>('GET', '/wallet/automatic-topup', { as })).body.automaticTopup
