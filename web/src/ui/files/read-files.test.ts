import { expect, test } from 'vitest'
import { readFiles } from './read-files.ts'

const offer = (path: string, text: string | number[]) => {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : Uint8Array.from(text)
  return { path, size: bytes.length, bytes: async () => bytes.slice().buffer }
}

test('text files are accepted, and others are rejected with a reason', async () => {
  const { files, leftOut } = await readFiles(
    [
      offer('./src/a.ts', 'let a'),
      offer('node_modules/x/index.js', 'x'),
      offer('logo.png', [0x89, 0, 1]),
      offer('../secret', 'x'),
      offer('large.txt', 'x'.repeat(50)),
      offer('b.ts', 'let b'),
    ],
    { files: 10, bytes: 9, fileBytes: 40 },
  )
  expect(files).toEqual([{ path: 'src/a.ts', content: 'let a' }])
  expect(leftOut.map(({ path, reason }) => `${path} ${reason}`)).toEqual([
    'logo.png not_text',
    '../secret bad_name',
    'large.txt too_large',
    'b.ts no_room',
  ])
})
