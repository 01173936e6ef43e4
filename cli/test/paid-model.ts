// A scripted model whose answers have known prices: one kobo per token, and a different number of tokens for each step.
import type { FakeAnswer, FakeReply, FakeRequest } from '@cowrie/testkit/fakes/models/fake-reply.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import type { TaskWorld } from '@cowrie/testkit/tasks/world.ts'

export const KOBO_PER_TOKEN = {
  SERVICE_PRICE_OPEN_KOBO_PER_1M: '1000000',
  SERVICE_PRICE_FRONTIER_KOBO_PER_1M: '10000000',
}

const OUTPUT_TOKENS = 9

/** The price of an answer after this number of earlier answers in the conversation. */
export const priceAfter = (answers: number): bigint => BigInt(100 + 7 * answers + OUTPUT_TOKENS)

/** The price of the first answers of a conversation. */
export const priceOfFirst = (answers: number): bigint =>
  Array.from({ length: answers }, (_, n) => priceAfter(n)).reduce((sum, price) => sum + price, 0n)

export const answersIn = ({ body }: FakeRequest): number =>
  ((body.messages ?? []) as { role: string }[]).filter(({ role }) => role === 'assistant').length

/** The same replies, with the usage of their place in the conversation. */
export const priced =
  (make: (request: FakeRequest) => FakeReply) =>
  (request: FakeRequest): FakeAnswer => {
    const reply = make(request)
    const input = 100 + 7 * answersIn(request)
    const usage = {
      prompt_tokens: input,
      completion_tokens: OUTPUT_TOKENS,
      total_tokens: input + OUTPUT_TOKENS,
    }
    return { ...(typeof reply === 'string' ? { text: reply } : reply), usage }
  }

export type Charges = {
  /** Of the ledger that the customer sees. */
  readonly ledgerMinor: bigint
  /** Of the holds of model calls. */
  readonly settledMinor: bigint
  readonly settled: number
  readonly open: number
}

type Page = { entries: { amountMinor: bigint }[]; nextCursor: string | null }

/** The payments of a customer, by the ledger and by the holds. */
export async function chargesOf({ server }: TaskWorld, as: Person): Promise<Charges> {
  let ledgerMinor = 0n
  for (let query: Record<string, string> | null = { type: 'debit', limit: '100' }; query; ) {
    const page: Page = (await server.call<Page>('GET', '/wallet/ledger', { as, query })).body
    for (const { amountMinor } of page.entries) ledgerMinor += amountMinor < 0n ? -amountMinor : amountMinor
    query = page.nextCursor === null ? null : { ...query, cursor: page.nextCursor }
  }
  const holds = await server.sql.rows<{ state: string; charged: bigint | null }>`
    select state, charged_minor as charged from holds where org_id = ${as.orgId}`
  const settled = holds.filter(({ state }) => state === 'settled')
  return {
    ledgerMinor,
    settledMinor: settled.reduce((sum, { charged }) => sum + (charged ?? 0n), 0n),
    settled: settled.length,
    open: holds.filter(({ state }) => state === 'open').length,
  }
}
