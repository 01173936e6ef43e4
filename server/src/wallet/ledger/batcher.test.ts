import { describe, expect, test } from 'vitest'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { OpResult, WalletOp } from './apply-ops.ts'
import { createBatcher } from './batcher.ts'

type Call = {
  ops: readonly WalletOp[]
  answer: (results?: OpResult[]) => void
  fail: (error: unknown) => void
}

const refs = ({ ops }: Call): string[] => ops.map((op) => ('ref' in op ? op.ref : 'id' in op ? op.id : ''))
const resultOf = (op: WalletOp) => ({ verdict: 'held', holdId: 'ref' in op ? op.ref : '' }) as OpResult
const settleOf = (org: string, id: string): WalletOp => ({
  kind: 'settle',
  org: org as OrgId,
  mid: '',
  id,
  amount: 1n,
  usage: null,
})
const reserveOf = (org: string, ref: string): WalletOp => ({
  kind: 'reserve',
  org: org as OrgId,
  mid: '',
  id: `id of ${ref}`,
  ref,
  usr: null,
  source: 'agent',
  amount: 1n,
  least: 1n,
  terms: {},
  deadline: new Date(0),
})

/** A batcher whose statements the test answers. */
function manualBatcher(inFlightMax = 2, patienceMs = 0) {
  const calls: Call[] = []
  const apply = (ops: readonly WalletOp[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<OpResult[]>()
    calls.push({ ops, answer: (results = ops.map(resultOf)) => resolve(results), fail: reject })
    return promise
  }
  const batcher = createBatcher(apply, inFlightMax, undefined, patienceMs)
  const sent = (count: number) => expect.poll(() => calls.length).toBe(count)
  return { batcher, calls, sent }
}
const at = (calls: Call[], n: number): Call => {
  const call = calls[n]
  if (!call) throw new Error(`statement ${n} was not sent`)
  return call
}

describe('operations', () => {
  test('are sent immediately when none is in flight, and batched otherwise', async () => {
    const { batcher, calls, sent } = manualBatcher(1)
    const first = batcher.run(reserveOf('a', 'r1'))
    const rest = ['r2', 'r3', 'r4'].map((ref) => batcher.run(reserveOf('b', ref)))
    expect(calls.map(refs)).toEqual([['r1']])
    expect(batcher.waiting).toBe(3)
    at(calls, 0).answer()
    await first
    await sent(2)
    expect(refs(at(calls, 1))).toEqual(['r2', 'r3', 'r4'])
    at(calls, 1).answer()
    expect((await Promise.all(rest)).map(({ holdId }) => holdId)).toEqual(['r2', 'r3', 'r4'])
  })

  test('are answered only after their statement', async () => {
    const { batcher, calls } = manualBatcher()
    let isAnswered = false
    const running = batcher.run(reserveOf('a', 'r1')).then((verdict) => {
      isAnswered = true
      return verdict
    })
    await new Promise(setImmediate)
    expect(isAnswered).toBe(false)
    at(calls, 0).answer()
    expect(await running).toMatchObject({ verdict: 'held', holdId: 'r1' })
  })

  test('on a wallet in flight wait, and others overtake them', async () => {
    const { batcher, calls, sent } = manualBatcher(2)
    const a1 = batcher.run(reserveOf('a', 'a1'))
    const a2 = batcher.run(reserveOf('a', 'a2'))
    const b1 = batcher.run(reserveOf('b', 'b1'))
    expect(calls.map(refs)).toEqual([['a1'], ['b1']])
    at(calls, 1).answer()
    await b1
    await new Promise(setImmediate)
    expect(calls).toHaveLength(2)
    at(calls, 0).answer()
    await a1
    await sent(3)
    expect(refs(at(calls, 2))).toEqual(['a2'])
    at(calls, 2).answer()
    await a2
  })

  test('wait for a statement of their kind, but not for one of the other kind', async () => {
    const { batcher, calls, sent } = manualBatcher(3, 60_000)
    const first = batcher.run(reserveOf('a', 'a1'))
    const later = [reserveOf('b', 'b1'), settleOf('c', 'h1'), reserveOf('d', 'd1'), settleOf('e', 'h2')].map(
      (op) => batcher.run(op),
    )
    expect(calls.map(refs)).toEqual([['a1'], ['h1']])
    at(calls, 0).answer()
    await first
    await sent(3)
    expect(refs(at(calls, 2))).toEqual(['b1', 'd1'])
    at(calls, 1).answer()
    await sent(4)
    expect(refs(at(calls, 3))).toEqual(['h2'])
    at(calls, 2).answer()
    at(calls, 3).answer()
    await Promise.all(later)
  })

  test('do not wait long for a slow statement', async () => {
    const { batcher, calls, sent } = manualBatcher(2, 20)
    const slow = batcher.run(reserveOf('a', 'a1'))
    const other = batcher.run(reserveOf('b', 'b1'))
    expect(calls.map(refs)).toEqual([['a1']])
    await sent(2)
    expect(refs(at(calls, 1))).toEqual(['b1'])
    at(calls, 1).answer()
    await other
    at(calls, 0).answer()
    await slow
  })

  test('on the same hold never share a statement', async () => {
    const { batcher, calls, sent } = manualBatcher(1)
    const first = batcher.run(reserveOf('x', 'r0'))
    const same = [
      settleOf('a', 'h1'),
      settleOf('a', 'h1'),
      settleOf('a', 'h2'),
      reserveOf('a', 'r'),
      reserveOf('a', 'r'),
    ]
    const rest = same.map((op) => batcher.run(op))
    at(calls, 0).answer()
    await first
    await sent(2)
    expect(refs(at(calls, 1))).toEqual(['h1', 'h2', 'r'])
    at(calls, 1).answer()
    await sent(3)
    expect(refs(at(calls, 2))).toEqual(['h1', 'r'])
    at(calls, 2).answer()
    await Promise.all(rest)
  })

  test('with asynchronous commit share no batch with durable ones, except on a wallet of that batch', async () => {
    const { batcher, calls, sent } = manualBatcher(1)
    const first = batcher.run(reserveOf('x', 'r0'))
    const mixed = [settleOf('a', 'h1'), reserveOf('b', 'b1'), reserveOf('a', 'a1'), settleOf('c', 'h2')]
    const rest = mixed.map((op) => batcher.run(op))
    at(calls, 0).answer()
    await first
    await sent(2)
    expect(refs(at(calls, 1))).toEqual(['h1', 'a1', 'h2'])
    at(calls, 1).answer()
    await sent(3)
    expect(refs(at(calls, 2))).toEqual(['b1'])
    at(calls, 2).answer()
    await Promise.all(rest)
  })

  test('beyond the batch size go into the next batch', async () => {
    const { batcher, calls, sent } = manualBatcher(1)
    const first = batcher.run(reserveOf('x', 'r0'))
    const rest = Array.from({ length: 600 }, (_, n) => batcher.run(reserveOf('a', `r${n}`)))
    for (const [n, size] of [256, 256, 88].entries()) {
      at(calls, n).answer()
      await sent(n + 2)
      expect(at(calls, n + 1).ops).toHaveLength(size)
    }
    at(calls, 3).answer()
    await Promise.all([first, ...rest])
  })

  test('of both kinds share statements in a crowd, each with half of them', async () => {
    const { batcher, calls, sent } = manualBatcher(3, 60_000)
    const ops = Array.from({ length: 60 }, (_, n) =>
      n % 2 ? settleOf(`org ${n}`, `h${n}`) : reserveOf(`org ${n}`, `r${n}`),
    )
    const results = ops.map((op) => batcher.run(op))
    expect(calls.map(refs)).toEqual([['r0'], ['h1']])
    at(calls, 0).answer()
    at(calls, 1).answer()
    await sent(4)
    expect(calls.slice(2).map(({ ops }) => ops.length)).toEqual([30, 28])
    expect(refs(at(calls, 2)).slice(0, 3)).toEqual(['r2', 'h3', 'r4'])
    at(calls, 2).answer()
    // Two operations that come alone wait for others, because the other statement in flight is large.
    const later = [reserveOf('later 1', 'r60'), settleOf('later 2', 'h61')].map((op) => batcher.run(op))
    await new Promise(setImmediate)
    expect(calls).toHaveLength(4)
    at(calls, 3).answer()
    await sent(6)
    expect(calls.slice(4).map(refs)).toEqual([['r60'], ['h61']])
    for (const call of calls.slice(4)) call.answer()
    await Promise.all([...results, ...later])
  })

  test('on one wallet share a statement in a crowd', async () => {
    const { batcher, calls, sent } = manualBatcher(3, 60_000)
    const first = batcher.run(settleOf('a', 'h0'))
    const rest = Array.from({ length: 40 }, (_, n) =>
      batcher.run(n % 2 ? settleOf('a', `h${n}`) : reserveOf('a', `r${n}`)),
    )
    at(calls, 0).answer()
    await sent(2)
    expect(at(calls, 1).ops).toHaveLength(40)
    at(calls, 1).answer()
    await Promise.all([first, ...rest])
  })

  test('beyond the queue limit are refused as busy, and queued ones still run', async () => {
    const { batcher, calls } = manualBatcher(1)
    const first = batcher.run(reserveOf('a', 'first'))
    const waiting = Array.from({ length: 20_000 }, (_, n) => batcher.run(settleOf('a', `h${n}`)))
    await expect(batcher.run(settleOf('a', 'too late'))).rejects.toMatchObject({ code: 'busy' })
    expect(batcher.waiting).toBe(20_000)
    at(calls, 0).answer()
    await first
    for (let n = 1; n <= 79; n++) {
      await expect.poll(() => calls.length, { interval: 1 }).toBe(n + 1)
      at(calls, n).answer()
    }
    expect(await Promise.all(waiting)).toHaveLength(20_000)
  })
})

describe('a failed statement', () => {
  /** Rejects every batch that contains this reference, as the database would. */
  const poisonedBy = (poison: string, error: Error) => {
    const batches: string[][] = []
    const batcher = createBatcher(async (ops) => {
      const names = refs({ ops } as Call)
      batches.push(names)
      await new Promise(setImmediate)
      if (names.includes(poison)) throw error
      return ops.map(resultOf)
    }, 1)
    return { batcher, batches }
  }

  test('rejects only the operation that caused the error', async () => {
    const { batcher, batches } = poisonedBy('bad', new Error('overflow'))
    const outcomes = await Promise.allSettled(
      ['r0', 'good', 'bad', 'fine'].map((ref) => batcher.run(reserveOf('a', ref))),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
    expect(outcomes[2]).toMatchObject({ reason: { message: 'overflow' } })
    expect(batches).toContainEqual(['good', 'bad', 'fine'])
    expect(batches.filter((names) => names.includes('bad'))).toEqual([['good', 'bad', 'fine'], ['bad']])
  })

  test('is retried after an outage', async () => {
    const { batcher, calls, sent } = manualBatcher(1)
    const first = batcher.run(reserveOf('x', 'r0'))
    const rest = ['r1', 'r2'].map((ref) => batcher.run(reserveOf('a', ref)))
    at(calls, 0).answer()
    await first
    await sent(2)
    at(calls, 1).fail(new ApiError('database_unavailable'))
    // The first is retried first, and the second waits for the wallet.
    await sent(3)
    at(calls, 2).answer()
    await sent(4)
    at(calls, 3).answer()
    expect(calls.slice(2).map(refs)).toEqual([['r1'], ['r2']])
    await expect(Promise.all(rest)).resolves.toHaveLength(2)
  })

  test('rejects after three attempts during an outage', async () => {
    let attempts = 0
    const batcher = createBatcher(() => {
      attempts++
      return Promise.reject(new ApiError('database_unavailable'))
    })
    await expect(batcher.run(reserveOf('a', 'r1'))).rejects.toMatchObject({ code: 'database_unavailable' })
    expect(attempts).toBe(3)
    expect(batcher.waiting).toBe(0)
  })

  test('because of a locked wallet delays its batch once, and no later operations', async () => {
    const { batcher, calls, sent } = manualBatcher(1)
    const first = batcher.run(reserveOf('x', 'x1'))
    const held = batcher.run(reserveOf('held', 'h1'))
    const neighbour = batcher.run(reserveOf('b', 'b1'))
    at(calls, 0).answer()
    await first
    await sent(2)
    expect(refs(at(calls, 1))).toEqual(['h1', 'b1'])
    at(calls, 1).fail(new ApiError('busy'))
    await sent(4)
    expect(calls.slice(2).map(refs)).toEqual([['h1'], ['b1']])
    at(calls, 3).answer()
    await neighbour

    // A later operation on the locked wallet is isolated, while another one on it is still in flight.
    const later = [reserveOf('held', 'h2'), reserveOf('b', 'b2')].map((op) => batcher.run(op))
    await sent(5)
    expect(refs(at(calls, 4))).toEqual(['b2'])
    at(calls, 4).answer()
    await later[1]
    at(calls, 2).answer()
    await held
    await sent(6)
    expect(refs(at(calls, 5))).toEqual(['h2'])
    at(calls, 5).answer()
    await later[0]
  })

  test('without a reply is sent again, and a late reply is ignored', async () => {
    const silent = Promise.withResolvers<OpResult[]>()
    let sent = 0
    const batcher = createBatcher(
      (ops) => (++sent === 1 ? silent.promise : Promise.resolve(ops.map(resultOf))),
      1,
      20,
    )
    await expect(batcher.run(reserveOf('a', 'r1'))).resolves.toMatchObject({ holdId: 'r1' })
    silent.reject(new Error('too late to matter'))
    await expect(batcher.run(reserveOf('a', 'r2'))).resolves.toMatchObject({ holdId: 'r2' })
    expect(sent).toBe(3)
  })

  test('because of an outage is retried on a wallet that was locked, without other operations', async () => {
    const failures = ['busy', 'busy', 'busy', 'database_unavailable'] as const
    let sent = 0
    const batcher = createBatcher(async (ops) => {
      const code = failures[sent++]
      if (code) throw new ApiError(code)
      return ops.map(resultOf)
    })
    await expect(batcher.run(reserveOf('a', 'r1'))).rejects.toMatchObject({ code: 'busy' })
    await expect(batcher.run(reserveOf('a', 'r2'))).resolves.toMatchObject({ holdId: 'r2' })
    expect(sent).toBe(5)
  })

  test('leaves the wallet free for the next operation', async () => {
    const { batcher } = poisonedBy('bad', new Error('overflow'))
    await expect(batcher.run(reserveOf('a', 'bad'))).rejects.toThrow('overflow')
    await expect(batcher.run(reserveOf('a', 'next'))).resolves.toMatchObject({ verdict: 'held' })
  })
})
