import { expect, test } from 'vitest'
import { type Page, readPages } from './pages.ts'

async function read(pages: Readonly<Record<number, Page>>) {
  const found: unknown[] = []
  let calls = 0
  const all = readPages(async (after) => {
    calls++
    return pages[after] ?? { movements: [], nextAfter: null }
  })
  for await (const each of all) if (found.push(each) > 100 || calls > 100) throw new Error('endless')
  return found
}

test('all pages are read in order, and an empty ledger has one without postings', async () => {
  expect(
    await read({ 0: { movements: [1, 2], nextAfter: 2 }, 2: { movements: [3], nextAfter: null } }),
  ).toEqual([1, 2, 3])
  expect(await read({})).toEqual([])
})

test.for<[string, Readonly<Record<number, Page>>]>([
  ['the same page', { 0: { movements: [1], nextAfter: 1 }, 1: { movements: [2], nextAfter: 1 } }],
  ['an earlier page', { 0: { movements: [1], nextAfter: 1 }, 1: { movements: [2], nextAfter: 0 } }],
  ['an empty page', { 0: { movements: [], nextAfter: 1 } }],
  ['no number', { 0: { movements: [1], nextAfter: Number.NaN } }],
])('pages that lead to %s are refused', async ([, pages]) => {
  await expect(read(pages)).rejects.toThrow('does not continue')
})
