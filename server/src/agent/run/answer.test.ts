import { create, update, wholeAnswer } from '@cowrie/testkit/agent/run.ts'
import { describe, expect, test } from 'vitest'
import type { ContextReport } from '../prompt/context.ts'
import { mark } from '../prompt/markers.ts'
import { attemptedText, parseAnswer } from './answer.ts'

const NONCE = '7f3a9c12'
const m = (words: string) => mark(NONCE, words)
const long = Array.from({ length: 30 }, (_, i) => `const line${i} = ${i}`).join('\n')
const files = new Map([
  ['seen.js', 'const a = 1\n'],
  ['partly.js', `${long}\n`],
  ['unseen.js', `${long}\n`],
])
const context: ContextReport = {
  included: ['seen.js'],
  omitted: [
    { path: 'partly.js', lines: 30, shownLines: 10 },
    { path: 'unseen.js', lines: 30, shownLines: 0 },
  ],
}
const read = (...blocks: string[]) =>
  parseAnswer(files, context, NONCE, { text: wholeAnswer(m, ...blocks), finish: 'stop' })

describe('a file that the model has seen only in part', () => {
  test('can be changed where it was shown', async () => {
    const { edits, failures } = await read(update(m, 'partly.js', 'const line3 = 3', 'const line3 = 4'))
    expect(failures).toEqual([])
    expect(edits).toMatchObject([{ path: 'partly.js', action: 'update' }])
    expect(edits[0]?.content).toContain('const line29 = 29')
  })

  test.for(['partly.js', 'unseen.js'])('is not replaced as a whole: %s', async (path) => {
    const { edits, failures } = await read(create(m, path, 'const everything = 1'))
    expect(edits).toEqual([])
    expect(failures).toMatchObject([{ path, message: expect.stringContaining('not shown to its end') }])
  })

  test('is neither changed nor deleted when nothing of it was shown', async () => {
    const removal = [m('FILE delete unseen.js'), 'why: no'].join('\n')
    for (const block of [removal, update(m, 'unseen.js', 'const line3 = 3', 'x')]) {
      const { edits, failures } = await read(block)
      expect(edits).toEqual([])
      expect(failures).toMatchObject([{ path: 'unseen.js' }])
    }
  })
})

test('the attempt for a path can be quoted, and nothing is quoted without one', async () => {
  const { envelope } = await read(
    update(m, 'seen.js', 'const b = 1', 'const b = 2'),
    create(m, 'new.js', 'const c = 3'),
    [m('FILE delete gone.js'), 'why: no'].join('\n'),
  )
  expect(attemptedText(envelope, 'seen.js')).toBe('FIND\nconst b = 1\nWITH\nconst b = 2')
  expect(attemptedText(envelope, 'new.js')?.trim()).toBe('const c = 3')
  expect(attemptedText(envelope, 'gone.js')).toBeUndefined()
  expect(attemptedText(envelope, 'never.js')).toBeUndefined()
})
