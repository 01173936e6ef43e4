// Two checkpoints of a log, compared over tiles that a network or a service can falsify.
import { describe, expect, test } from 'vitest'
import { compareCheckpoints } from './log.ts'
import { leafHash, nodeHash } from './merkle.ts'
import type { Checkpoint } from './note.ts'

const SIZES = [4, 5, 8, 100] as const
const NEWER = 300

const half = (count: number): number => 2 ** (Math.ceil(Math.log2(count)) - 1)
function rootOf(leaves: readonly Uint8Array[]): Uint8Array {
  const [only, ...others] = leaves
  if (only && others.length === 0) return only
  const middle = half(leaves.length)
  return nodeHash(rootOf(leaves.slice(0, middle)), rootOf(leaves.slice(middle)))
}
const leavesOf = (history: string) => Array.from({ length: NEWER }, (_, n) => leafHash(`${history} ${n}`))
const LEAVES = leavesOf('true')

const checkpoint = (size: number, leaves = LEAVES): Checkpoint => ({
  ...{ size, origin: 'log', note: `${size}` },
  root: Buffer.from(rootOf(leaves.slice(0, size))),
})

async function readTile(path: string): Promise<Uint8Array> {
  const [, level = '', tile = '', width = '256'] = /^(\d)\/(\d{3})(?:\.p\/(\d+))?$/.exec(path) ?? []
  const span = 256 ** Number(level)
  const hashes = Array.from({ length: Number(width) }, (_, n) => {
    const at = (Number(tile) * 256 + n) * span
    return rootOf(LEAVES.slice(at, at + span))
  })
  return Buffer.concat(hashes)
}

describe.for(SIZES)('a checkpoint of size %i', (size) => {
  const compare = async (older: Checkpoint, read = readTile, newer = checkpoint(NEWER)) =>
    (await compareCheckpoints(older, newer, read))?.code ?? null

  test('is continued by the newer one', async () => {
    expect(await compare(checkpoint(size))).toBeNull()
  })

  test('with another history is a fork, with both checkpoints as the proof', async () => {
    const fault = await compareCheckpoints(checkpoint(NEWER), checkpoint(size, leavesOf('other')), readTile)
    expect(fault).toMatchObject({ code: 'log_forked', checkpoints: [`${size}`, `${NEWER}`] })
  })

  test.for<[string, (tile: Uint8Array) => Uint8Array]>([
    ['cut off', (tile) => tile.subarray(0, -40)],
    ['empty', () => new Uint8Array()],
    ['changed', (tile) => tile.map((byte) => byte ^ 1)],
    ['a page of a proxy', () => Buffer.from('<html>Sign in</html>')],
  ])('does not call a tile that is %s a fork', async ([, change]) => {
    const read = async (path: string) => change(await readTile(path))
    expect(await compare(checkpoint(size), read)).toBe('log_unreadable')
  })

  test('without tiles is not compared', async () => {
    expect(await compare(checkpoint(size), () => Promise.reject(new Error('offline')))).toBe(
      'log_unreachable',
    )
  })
})

test('two checkpoints of one size with two roots are a fork without any tile', async () => {
  const none = () => Promise.reject(new Error('no tile is needed'))
  expect(await compareCheckpoints(checkpoint(9), checkpoint(9, leavesOf('other')), none)).toMatchObject({
    code: 'log_forked',
  })
})
