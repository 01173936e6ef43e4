// The text of the bundle stays in the memory of every process and thread that loads it.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { bundlePrograms } from './bundle-service.mjs'

const LARGE = 200_000

test('the large files of the bundle are ASCII, so that each character takes one byte of memory', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cowrie-bundle-'))
  try {
    const main = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url))
    await bundlePrograms(join(folder, 'service'), { main })
    const texts = readdirSync(join(folder, 'service')).map((file) =>
      readFileSync(join(folder, 'service', file), 'utf8'),
    )
    const large = texts.filter(({ length }) => length > LARGE)
    expect(large.length).toBeGreaterThan(1)
    // Tagged templates keep their characters: another function may read the text before escapes are resolved.
    expect(large.flatMap((text) => text.match(/.{0,40}[^\0-\x7f].{0,40}/g) ?? [])).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
