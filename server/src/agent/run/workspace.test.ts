import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { applyEdits, diffWorkspaces, hashState, restorePaths, type WorkspaceFiles } from './workspace.ts'

const files = (entries: Record<string, string>): WorkspaceFiles => new Map(Object.entries(entries))
const sha = (text: string) => createHash('sha256').update(text).digest('hex')

test('the edits between two states lead from one to the other, regardless of the steps between', () => {
  const base = files({ 'a.js': 'a', 'b.js': 'b', 'c.js': 'c' })
  const now = files({ 'a.js': 'A', 'b.js': 'b', 'd.js': '' })
  const edits = diffWorkspaces(base, now, new Map([['a.js', 'in capitals']]))
  expect(edits).toEqual([
    { path: 'a.js', action: 'update', content: 'A', description: 'in capitals', baseSha256: sha('a') },
    { path: 'c.js', action: 'delete', content: '', description: '', baseSha256: sha('c') },
    { path: 'd.js', action: 'create', content: '', description: '', baseSha256: null },
  ])
  expect(applyEdits(base, edits)).toEqual(now)
})

test('a file that was changed and changed back is not an edit', () => {
  const base = files({ 'a.js': 'a' })
  const there = applyEdits(base, diffWorkspaces(base, files({ 'a.js': 'A' }), new Map()))
  const back = restorePaths(there, base, ['a.js'])
  expect(diffWorkspaces(base, back, new Map())).toEqual([])
  expect(hashState(base, back)).toBe(hashState(base, base))
  expect(hashState(base, there)).not.toBe(hashState(base, base))
})

test('restored files have their original text, and new ones are removed', () => {
  const base = files({ 'a.test.js': 'a' })
  const now = files({ 'conftest.py': 'x' })
  expect(restorePaths(now, base, ['a.test.js', 'conftest.py'])).toEqual(base)
})
