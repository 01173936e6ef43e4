import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { scratchFolder } from './scratch-folder.ts'

// Higher than any process id.
const DEAD = 99_999_999
const uid = process.getuid?.() ?? 0
let memory: string
beforeEach(() => {
  memory = mkdtempSync(join(tmpdir(), 'cowrie-memory-'))
})
afterEach(() => rmSync(memory, { recursive: true }))

function leave(name: string): string {
  const folder = join(memory, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'file'), 'left')
  return folder
}

test('only folders of dead runs of this user are deleted', () => {
  const dead = leave(`cowrie-test-u${uid}-${DEAD}-a`)
  const kept = [
    leave(`cowrie-test-u${uid}-${process.pid}-a`),
    leave(`cowrie-test-u${uid + 1}-${DEAD}-a`),
    leave(`cowrie-test-${DEAD}-a`),
  ]
  const folder = scratchFolder(memory, 0)
  expect(dirname(folder)).toBe(memory)
  expect(basename(folder)).toMatch(new RegExp(`^cowrie-test-u${uid}-${process.pid}-`))
  expect(existsSync(dead)).toBe(false)
  expect(kept.filter(existsSync)).toEqual(kept)
})

test('an old folder that cannot be deleted is ignored', () => {
  const locked = leave(`cowrie-test-u${uid}-${DEAD}-a`)
  chmodSync(locked, 0o500)
  try {
    expect(dirname(scratchFolder(memory, 0))).toBe(memory)
    // Permissions do not apply to root.
    expect(existsSync(locked)).toBe(uid !== 0)
  } finally {
    if (existsSync(locked)) chmodSync(locked, 0o700)
  }
})
