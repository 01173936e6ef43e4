import { hashOf, type Ledger, type LedgerRow, ledgers, rehash } from '@cowrie/testkit/wallet/ledger-text.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { verifyLedger } from './ledger.ts'

const check = async ({ orgId, wallet, postings }: Ledger) =>
  (await verifyLedger(orgId, wallet, postings)).fault

const RUNS = { numRuns: 60 }
/** Random ledgers with a position in them. */
const withPlace = (minLength = 1) =>
  ledgers(minLength, 40).chain((ledger) =>
    fc.record({ ledger: fc.constant(ledger), at: fc.nat({ max: ledger.postings.length - 1 }) }),
  )

const every = <T>(cases: fc.Arbitrary<T>, work: (each: T) => Promise<unknown>) =>
  fc.assert(
    fc.asyncProperty(cases, async (each) => {
      await work(each)
    }),
    RUNS,
  )

describe('a ledger', () => {
  test('that is intact has no fault, whatever it contains', async () => {
    await every(ledgers(0, 60), async (ledger) => expect(await check(ledger)).toBeNull())
  })

  test('may have postings that are newer than the balances', async () => {
    await every(withPlace(), async ({ ledger, at }) => {
      const shorter = { ...ledger, postings: ledger.postings.slice(0, at) }
      const free = shorter.postings.reduce((sum, { freeMinor }) => sum + freeMinor, 0n)
      const heldMinor = shorter.postings.reduce((sum, each) => sum + each.heldMinor, 0n)
      const includedRemainingMinor = shorter.postings.reduce((sum, each) => sum + each.includedMinor, 0n)
      const wallet = {
        balanceMinor: free + heldMinor,
        heldMinor,
        includedRemainingMinor,
        head: rehash(shorter).wallet.head,
      }
      expect(await check({ ...ledger, wallet })).toBeNull()
    })
  })
})

describe('a posting', () => {
  const CHANGES: Readonly<Record<string, (row: LedgerRow) => Partial<LedgerRow>>> = {
    id: ({ id }) => ({ id: `${id}x` }),
    kind: ({ kind }) => ({ kind: kind === 'credit' ? 'debit' : 'credit' }),
    freeMinor: ({ freeMinor }) => ({ freeMinor: freeMinor + 1n }),
    'two amounts': (row) => ({ freeMinor: row.freeMinor - 1n, revenueMinor: row.revenueMinor + 1n }),
    heldMinor: ({ heldMinor }) => ({ heldMinor: -heldMinor - 1n }),
    includedMinor: ({ includedMinor }) => ({ includedMinor: includedMinor + 1n }),
    includedHeldMinor: (row) => ({ includedHeldMinor: row.includedHeldMinor - 1n }),
    revenueMinor: ({ revenueMinor }) => ({ revenueMinor: revenueMinor * 2n + 1n }),
    allowanceMinor: ({ allowanceMinor }) => ({ allowanceMinor: allowanceMinor + 1n }),
    account: ({ account }) => ({ account: account === null ? 'refunds' : null }),
    'null as text': ({ account }) => ({ account: account === null ? '-' : null }),
    accountMinor: ({ accountMinor }) => ({ accountMinor: accountMinor - 1n }),
    source: () => ({ source: 'chat' }),
    ref: () => ({ ref: 'another' }),
    balanceAfterMinor: ({ balanceAfterMinor }) => ({ balanceAfterMinor: balanceAfterMinor + 1n }),
    cause: ({ cause }) => ({ cause: cause === null ? 'topup x' : null }),
    holdId: ({ holdId }) => ({ holdId: holdId === null ? 'hold_0' : null }),
    createdAt: () => ({ createdAt: '2026-01-01T00:00:00.000Z' }),
    createdAtMicros: ({ createdAtMicros }) => ({ createdAtMicros: createdAtMicros + 1 }),
    hash: ({ hash }) => ({ hash: hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) }),
  }

  test.for(Object.entries(CHANGES))('that was changed in %s is found and named', async ([, change]) => {
    await every(withPlace(), async ({ ledger, at }) => {
      const postings = ledger.postings.with(at, {
        ...(ledger.postings[at] as LedgerRow),
        ...change(ledger.postings[at] as LedgerRow),
      })
      expect(await check({ ...ledger, postings })).toMatchObject({ code: 'changed', seq: at + 1 })
    })
  })

  test('with a bar in a text is refused, because its hash has a second reading', async () => {
    await every(withPlace(), async ({ ledger, at }) => {
      for (const change of [{ ref: 'a|b' }, { source: 'agent|a' }, { id: 'led|1' }]) {
        const postings = ledger.postings.with(at, { ...(ledger.postings[at] as LedgerRow), ...change })
        expect(await check(rehash({ ...ledger, postings }))).toMatchObject({ code: 'changed', seq: at + 1 })
      }
    })
  })

  test('that was removed is found and named, also the last ones', async () => {
    await every(withPlace(), async ({ ledger, at }) => {
      const removed = { code: 'removed', seq: at + 1 }
      expect(await check({ ...ledger, postings: ledger.postings.toSpliced(at, 1) })).toMatchObject(removed)
      expect(await check({ ...ledger, postings: ledger.postings.slice(0, at) })).toMatchObject(removed)
    })
  })

  test('that was removed is found when the later ones are numbered again', async () => {
    await every(withPlace(3), async ({ ledger, at }) => {
      const postings = ledger.postings.toSpliced(at, 1).map((row, n) => ({ ...row, seq: n + 1 }))
      const found = await check({ ...ledger, postings })
      expect(found?.seq).toBe(at + 1)
      expect(found?.code).toBe(
        at < ledger.postings.length - 2 || at === ledger.postings.length - 1 ? 'removed' : 'changed',
      )
    })
  })

  test('that was inserted is found and named, as a copy, with new numbers after it, and with a hash that fits', async () => {
    await every(withPlace(2), async ({ ledger, at }) => {
      const row = ledger.postings[at] as LedgerRow
      const copy = ledger.postings.toSpliced(at, 0, row)
      expect(await check({ ...ledger, postings: copy })).toMatchObject({ code: 'inserted', seq: at + 1 })
      const foreign = ledger.postings.toSpliced(at, 0, { ...row, ref: 'another' })
      expect(await check({ ...ledger, postings: foreign })).toMatchObject({ code: 'inserted', seq: at + 1 })
      const renumbered = foreign.map((each, n) => ({ ...each, seq: n + 1 }))
      expect(await check({ ...ledger, postings: renumbered })).toMatchObject({
        code: 'inserted',
        seq: at + 1,
      })
      const before = ledger.postings[at - 1]?.hash ?? ''
      const fitting = {
        ...row,
        ref: 'another',
        hash: hashOf(ledger.orgId, before, { ...row, ref: 'another' }),
      }
      const hidden = ledger.postings.toSpliced(at, 0, fitting).map((each, n) => ({ ...each, seq: n + 1 }))
      const found = await check({ ...ledger, postings: hidden })
      expect([at + 1, at + 2]).toContain(found?.seq)
    })
  })

  test('that changed its place is found and named, also with exchanged numbers', async () => {
    const two = ledgers(2, 40).chain((ledger) =>
      fc.record({
        ledger: fc.constant(ledger),
        places: fc.uniqueArray(fc.nat({ max: ledger.postings.length - 1 }), { minLength: 2, maxLength: 2 }),
      }),
    )
    await every(two, async ({ ledger, places }) => {
      const [one = 0, other = 0] = places.toSorted((a, b) => a - b)
      const [first, second] = [ledger.postings[one] as LedgerRow, ledger.postings[other] as LedgerRow]
      const swapped = ledger.postings.with(one, second).with(other, first)
      expect(await check({ ...ledger, postings: swapped })).toMatchObject({ code: 'reordered', seq: one + 1 })
      const renumbered = swapped.map((row, n) => ({ ...row, seq: n + 1 }))
      const found = await check({ ...ledger, postings: renumbered })
      expect(found).toMatchObject({
        code: other === one + 1 ? 'reordered' : expect.any(String),
        seq: one + 1,
      })
    })
  })

  test('that was changed with all later hashes is found by the head', async () => {
    await every(withPlace(), async ({ ledger, at }) => {
      const postings = ledger.postings.with(at, { ...(ledger.postings[at] as LedgerRow), ref: 'another' })
      const rewritten = rehash({ ...ledger, postings })
      expect(await check({ ...rewritten, wallet: ledger.wallet })).toMatchObject({
        code: 'changed',
        seq: ledger.postings.length,
      })
    })
  })
})

test('a ledger whose chain breaks early is not read to its end', async () => {
  let read = 0
  function* endless() {
    for (; read < 1_000_000; read++) yield { seq: 1 }
  }
  const wallet = { balanceMinor: 0n, heldMinor: 0n, includedRemainingMinor: 0n }
  const head = { seq: 1_000_000, hash: 'ab'.repeat(32) }
  const { fault } = await verifyLedger('org_1', { ...wallet, head }, endless())
  expect(fault).toMatchObject({ code: 'changed', seq: 1 })
  expect(read).toBeLessThan(2_000)
})

describe('the rules of money', () => {
  const row = (kind: string, change: Partial<LedgerRow>): Partial<LedgerRow> => ({ kind, ...change })
  const hold = { holdId: 'hold_1', cause: null }
  const CREDIT = row('credit', { freeMinor: 100n, accountMinor: -100n, account: 'clearing:card' })
  const RESERVE = row('reserve', { freeMinor: -60n, heldMinor: 60n, ...hold })

  /** A ledger of these postings with valid hashes. */
  function ledgerOf(rows: readonly Partial<LedgerRow>[]): Ledger {
    let balance = 0n
    const postings = rows.map((each, n): LedgerRow => {
      balance += (each.freeMinor ?? 0n) + (each.heldMinor ?? 0n)
      return {
        ...{ seq: n + 1, id: `led_${n}`, kind: 'credit', freeMinor: 0n, heldMinor: 0n, includedMinor: 0n },
        ...{ includedHeldMinor: 0n, revenueMinor: 0n, allowanceMinor: 0n, account: null, accountMinor: 0n },
        ...{ source: 'agent', ref: 'x', balanceAfterMinor: balance, cause: `c ${n}`, holdId: null },
        ...{
          createdAt: '2026-11-19T00:00:00.000Z',
          createdAtMicros: Date.parse('2026-11-19') * 1000,
          hash: '',
        },
        ...each,
      }
    })
    const wallet = {
      balanceMinor: balance,
      heldMinor: 0n,
      includedRemainingMinor: 0n,
      head: { seq: 0, hash: '' },
    }
    return rehash({ orgId: 'org_1', wallet, postings })
  }

  test.for<[string, Partial<LedgerRow>[]]>([
    ['amounts do not sum to zero', [row('credit', { freeMinor: 5n })]],
    ['balance is not the sum', [{ ...CREDIT, balanceAfterMinor: 101n }]],
    ['below zero', [CREDIT, row('debit', { freeMinor: -101n, accountMinor: 101n, account: 'refunds' })]],
    [
      'charge is above',
      [CREDIT, RESERVE, row('settle', { heldMinor: -60n, freeMinor: -1n, revenueMinor: 61n, ...hold })],
    ],
    [
      'releases another amount',
      [CREDIT, RESERVE, row('settle', { heldMinor: -50n, revenueMinor: 50n, ...hold })],
    ],
    [
      'returns another amount',
      [
        CREDIT,
        RESERVE,
        row('settle', {
          heldMinor: -60n,
          revenueMinor: 10n,
          freeMinor: 40n,
          accountMinor: 10n,
          account: 'refunds',
          ...hold,
        }),
      ],
    ],
    ['charges nothing', [CREDIT, RESERVE, row('release', { heldMinor: -60n, revenueMinor: 60n, ...hold })]],
    ['not open', [CREDIT, row('settle', { heldMinor: 0n, ...hold })]],
    ['second time', [CREDIT, RESERVE, row('release', { heldMinor: -60n, freeMinor: 60n, ...hold }), RESERVE]],
    [
      'another amount than it takes',
      [
        CREDIT,
        row('reserve', { freeMinor: -50n, heldMinor: 60n, accountMinor: -10n, account: 'refunds', ...hold }),
      ],
    ],
    ['credit adds money', [CREDIT, row('credit', { freeMinor: -1n, accountMinor: 1n, account: 'refunds' })]],
    ['no kind of posting', [row('gift', { freeMinor: 1n, accountMinor: -1n, account: 'refunds' })]],
  ])('refuse a posting whose fault is: %s', async ([reason, rows]) => {
    const ledger = ledgerOf(rows)
    const fault = await check(ledger)
    expect(fault).toMatchObject({ code: 'invalid', seq: rows.length })
    expect(fault?.message).toContain(reason)
  })

  test('compare the sums with the balances that are shown', async () => {
    const ledger = ledgerOf([CREDIT, RESERVE])
    const wallet = { ...ledger.wallet, balanceMinor: 100n, heldMinor: 60n }
    expect(await check({ ...ledger, wallet })).toBeNull()
    for (const name of ['balanceMinor', 'heldMinor', 'includedRemainingMinor'] as const)
      expect(await check({ ...ledger, wallet: { ...wallet, [name]: wallet[name] + 1n } })).toMatchObject({
        code: 'balances',
        seq: 2,
      })
  })
})
