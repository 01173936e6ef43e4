import { describe, expect, test } from 'vitest'
import { paginate } from './paginate.ts'

const PAGES: Record<string, { entries: number[]; nextCursor: string | null }> = {
  '': { entries: [1, 2], nextCursor: 'b' },
  b: { entries: [], nextCursor: 'c' },
  c: { entries: [3], nextCursor: null },
}

describe('a paginated list', () => {
  test('is read completely, even with empty pages', async () => {
    const items: number[] = []
    for await (const item of paginate(async (cursor) => pageAt(cursor), 'entries')) items.push(item)
    expect(items).toEqual([1, 2, 3])
  })

  test('is requested only as far as it is read', async () => {
    const asked: (string | undefined)[] = []
    const ask = async (cursor: string | undefined) => {
      asked.push(cursor)
      return pageAt(cursor)
    }
    for await (const item of paginate(ask, 'entries')) if (item === 2) break
    expect(asked).toEqual([undefined])
  })

  test('that repeats its cursor ends with an error', async () => {
    const forgetful = paginate(async () => pageAt(undefined), 'entries')
    const all = async () => {
      for await (const item of forgetful) expect(item).toBeLessThan(3)
    }
    await expect(all()).rejects.toThrow('Pass the cursor to the call')
  })
})

function pageAt(cursor = '') {
  const page = PAGES[cursor]
  if (!page) throw new Error(`there is no page ${cursor}`)
  return page
}
