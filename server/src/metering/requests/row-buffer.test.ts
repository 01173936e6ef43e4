import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '../../kernel/errors.ts'
import { BATCH_ROWS, createRowBuffer, type LossReason, ROWS_MAX } from './row-buffer.ts'

let batches: number[][]
let losses: [reason: LossReason, rows: number][]
let failures: unknown[]
let gate: Promise<void>
beforeEach(() => {
  vi.useFakeTimers()
  batches = []
  losses = []
  failures = []
  gate = Promise.resolve()
})
afterEach(() => void vi.useRealTimers())

const buffer = (refuses: (row: number) => boolean = () => false) =>
  createRowBuffer<number>({
    async store(rows) {
      await gate
      if (failures.length > 0) throw failures.shift()
      if (rows.some(refuses)) throw new Error('an invalid row')
      batches.push([...rows])
    },
    onLoss: (reason, rows) => losses.push([reason, rows]),
  })

const sizes = () => batches.map(({ length }) => length)
const unavailable = (times: number) =>
  Array.from({ length: times }, () => new ApiError('database_unavailable'))

describe('a row', () => {
  test('is stored with its neighbours half a second after the first of them', async () => {
    const rows = buffer()
    for (let row = 0; row < 3; row++) rows.add(row)
    await vi.advanceTimersByTimeAsync(499)
    expect(batches).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(batches).toEqual([[0, 1, 2]])
    rows.add(3)
    await vi.advanceTimersByTimeAsync(500)
    expect(batches).toEqual([[0, 1, 2], [3]])
  })

  test('is stored at once when it fills a batch', async () => {
    const rows = buffer()
    for (let row = 0; row < BATCH_ROWS; row++) rows.add(row)
    await vi.advanceTimersByTimeAsync(0)
    expect(sizes()).toEqual([BATCH_ROWS])
  })

  test('that the table refuses is lost alone and counted', async () => {
    const rows = buffer((row) => row === 7)
    for (let row = 0; row < 10; row++) rows.add(row)
    await rows.flush()
    expect(batches.flat()).toEqual([0, 1, 2, 3, 4, 5, 6, 8, 9])
    expect(losses).toEqual([['failed', 1]])
  })
})

describe('while the database is unavailable', () => {
  test('a batch is stored by a later attempt', async () => {
    failures = unavailable(4)
    const rows = buffer()
    rows.add(1)
    await vi.advanceTimersByTimeAsync(500 + 7_500)
    expect(batches).toEqual([[1]])
    expect(losses).toEqual([])
  })

  test('the fifth failure loses the batch, which is counted, and the next batch is tried', async () => {
    failures = unavailable(5)
    const rows = buffer()
    for (let row = 0; row < BATCH_ROWS + 1; row++) rows.add(row)
    await vi.advanceTimersByTimeAsync(7_500 + 500)
    expect(losses).toEqual([['failed', BATCH_ROWS]])
    expect(sizes()).toEqual([1])
  })

  test('the buffer stops growing at its bound, and the surplus is counted once', async () => {
    const opened = Promise.withResolvers<void>()
    gate = opened.promise
    const rows = buffer()
    for (let row = 0; row < ROWS_MAX + 120; row++) rows.add(row)
    expect(rows.size).toBe(ROWS_MAX)
    opened.resolve()
    await rows.flush()
    expect(losses).toEqual([['overflow', 120]])
    expect(batches.flat()).toHaveLength(ROWS_MAX)
    expect(sizes()).toEqual(Array.from({ length: ROWS_MAX / BATCH_ROWS }, () => BATCH_ROWS))
    expect(rows.size).toBe(0)
  })
})

describe('at a stop', () => {
  test('all rows are stored', async () => {
    const rows = buffer()
    for (let row = 0; row < 450; row++) rows.add(row)
    await rows.drain(1_000)
    expect(batches.flat()).toHaveLength(450)
    expect(losses).toEqual([])
  })

  test('a failure is not retried, so that the stop does not wait for it', async () => {
    failures = unavailable(1)
    const rows = buffer()
    rows.add(1)
    await rows.drain(1_000)
    expect(losses).toEqual([['failed', 1]])
  })

  test('rows that a silent database does not take in time are counted', async () => {
    gate = new Promise(() => undefined)
    const rows = buffer()
    for (let row = 0; row < 3; row++) rows.add(row)
    const drained = rows.drain(1_000)
    await vi.advanceTimersByTimeAsync(1_000)
    await drained
    expect(losses).toEqual([['failed', 3]])
  })
})
