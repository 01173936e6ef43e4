import { expect, test } from 'vitest'
import { NO_FILES } from '../../../data/task-files.ts'
import { acceptFiles, FILES_MAX, includeFile } from './accept-files.ts'

const offer = (path: string, text: string | number[], size?: number) => {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : Uint8Array.from(text)
  return { path, size: size ?? bytes.length, bytes: async () => bytes.slice().buffer }
}
/** Looks like a secret, and is none. */
const SECRET = ['sk_live_', 'f3a9c1d27b', '84e605f1a2', 'c9d3b7e8f0', '1a2b4c6d8e'].join('')
const pathsOf = (files: readonly { path: string }[]) => files.map(({ path }) => path)

test('a folder keeps its sources, and names what is left out', async () => {
  const all = await acceptFiles(NO_FILES, [
    offer('.gitignore', 'dist/\n*.log\n'),
    offer('src/.cowrieignore', 'generated.js\n'),
    offer('src/a.js', 'a\r\n'),
    offer('src/generated.js', 'x'),
    offer('dist/a.js', 'x'),
    offer('debug.log', 'x'),
    offer('node_modules/x/index.js', 'x'),
    offer('.git/config', 'x'),
    offer('logo.png', [0x89, 0, 1]),
    offer('big.csv', 'x', 9_000_000),
    offer('../up.js', 'x'),
    offer('.env', 'TOKEN=1\n'),
    offer('pay.js', `one\nconst key = '${SECRET}'\n`),
  ])
  expect(pathsOf(all.files)).toEqual(['.gitignore', 'src/.cowrieignore', 'src/a.js', 'pay.js'])
  expect(all.files[2]?.content).toBe('a\r\n')
  expect(all.ignored).toBe(5)
  expect(all.leftOut).toEqual([
    { path: 'logo.png', reason: 'not text' },
    { path: 'big.csv', reason: 'larger than 8 MiB' },
    { path: '../up.js', reason: 'a name that cannot be sent' },
  ])
  expect(pathsOf(all.withheld)).toEqual(['.env'])
  expect(all.secrets).toEqual([{ path: 'pay.js', line: 2 }])
  expect(pathsOf(includeFile(all, '.env').files)).toContain('.env')
})

test('the limits of files and bytes are kept, and a repeated file replaces the earlier one', async () => {
  const many = Array.from({ length: FILES_MAX + 1 }, (_, at) => offer(`f${at}.txt`, 'x'))
  const full = await acceptFiles(NO_FILES, many)
  expect(full.files).toHaveLength(FILES_MAX)
  expect(full.leftOut).toEqual([{ path: `f${FILES_MAX}.txt`, reason: 'beyond the limit of 5,000 files' }])
  const again = await acceptFiles(full, [offer('f0.txt', 'new')])
  expect(again.files).toHaveLength(FILES_MAX)
  expect(again.files[0]).toMatchObject({ path: 'f0.txt', content: 'new' })
  const large = [0, 1, 2, 3].map((at) => offer(`l${at}.txt`, 'x', 7 * 1024 * 1024))
  const heavy = await acceptFiles(NO_FILES, large)
  expect(pathsOf(heavy.leftOut)).toEqual(['l3.txt'])
})
