import { expect, test } from 'vitest'
import { acquireSlot } from './slots.ts'

const never = new AbortController().signal
type Entry = { readonly owner: string; readonly place: Promise<(() => void) | null> }

/** Requests slots and records the order in which they are assigned. */
function asker() {
  const given: string[] = []
  const leaves: (() => void)[] = []
  const ask = (owner: string, more: { signal?: AbortSignal; ignoresQueueLimit?: boolean } = {}): Entry => {
    const place = acquireSlot({ owner, signal: never, ...more })
    place.then((leave) => {
      if (leave === null) return
      given.push(owner)
      leaves.push(leave)
    })
    return { owner, place }
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  const leaveOne = async () => {
    leaves.shift()?.()
    await settle()
  }
  const leaveAll = async () => {
    await settle()
    for (let left = 0; left < 200 && leaves.length > 0; left++) await leaveOne()
  }
  return { given, ask, settle, leaveOne, leaveAll }
}

test('an organisation gets two of the four slots, and another one is served although the first has many waiting', async () => {
  const { given, ask, settle, leaveOne, leaveAll } = asker()
  for (let i = 0; i < 10; i++) ask('greedy')
  ask('modest')
  await settle()
  expect(given).toEqual(['greedy', 'greedy', 'modest'])
  ask('modest')
  ask('third')
  await settle()
  expect(given).toEqual(['greedy', 'greedy', 'modest', 'modest'])
  // The next free slot goes to the owner whose turn it is, not to the longest waiting request.
  await leaveOne()
  await leaveOne()
  expect(given.slice(4).toSorted()).toEqual(['greedy', 'third'])
  await leaveAll()
  expect(given).toHaveLength(13)
})

test('when sixteen runs of an organisation wait, the next is rejected, unless it is already paid', async () => {
  const { given, ask, settle, leaveAll } = asker()
  for (let i = 0; i < 18; i++) ask('greedy')
  expect(await ask('greedy').place).toBeNull()
  ask('greedy', { ignoresQueueLimit: true })
  ask('modest')
  await settle()
  expect(given).toEqual(['greedy', 'greedy', 'modest'])
  await leaveAll()
  expect(given).toHaveLength(20)
})

test('when sixty-four runs wait, further ones are rejected, unless they are already paid', async () => {
  const { given, ask, leaveAll } = asker()
  for (let owner = 0; owner < 17; owner++) for (let i = 0; i < 4; i++) ask(`owner ${owner}`)
  expect(await ask('late').place).toBeNull()
  ask('late', { ignoresQueueLimit: true })
  await leaveAll()
  expect(given).toHaveLength(69)
})

test('an aborted wait leaves the queue, and its slot goes to the next', async () => {
  const { given, ask, settle, leaveAll } = asker()
  const controller = new AbortController()
  for (let i = 0; i < 2; i++) ask('a')
  const abandoned = ask('a', { signal: controller.signal })
  ask('a')
  controller.abort()
  expect(await abandoned.place).toBeNull()
  expect(await ask('a', { signal: controller.signal }).place).toBeNull()
  await settle()
  expect(given).toHaveLength(2)
  await leaveAll()
  expect(given).toEqual(['a', 'a', 'a'])
})
