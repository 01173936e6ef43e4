// Files that can be attached to a task, and the reasons for rejecting others.
import { expect, test } from 'vitest'
import { cleanPath, type PickedFile } from '../../../ui/files/picked-files.ts'
import type { TaskFile } from './file-secrets.ts'
import { acceptFiles, CHARACTERS_MAX, FILES_MAX } from './files.ts'
import { DEFAULT_OPTIONS, quoteBody } from './task.ts'

const offer = (path: string, content: string | Uint8Array<ArrayBuffer>): PickedFile => {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  return { path, size: bytes.length, bytes: async () => bytes.buffer }
}

test('text is kept unchanged, with byte order mark and line breaks; a newer file replaces the older', async () => {
  const first = await acceptFiles([], [offer('src/a.js', '\ufeffone\r\n'), offer('./b.js', 'two')])
  expect(first).toEqual({
    files: [
      { path: 'src/a.js', content: '\ufeffone\r\n' },
      { path: 'b.js', content: 'two' },
    ],
    rejected: [],
    withheld: [],
  })
  const { files } = await acceptFiles(first.files, [offer('b.js', 'three')])
  expect(files.map(({ content }) => content)).toEqual(['\ufeffone\r\n', 'three'])
})

test('binary, large, badly named and unreadable files are rejected with a reason', async () => {
  const gone: PickedFile = { path: 'gone.js', size: 3, bytes: () => Promise.reject(new Error('gone')) }
  const { files, rejected } = await acceptFiles(
    [],
    [
      offer('logo.png', new Uint8Array([0x89, 0x50, 0x4e, 0x47])),
      offer('nul.bin', 'a\0b'),
      offer('../up.js', 'x'),
      offer('large.txt', 'x'.repeat(CHARACTERS_MAX + 1)),
      gone,
      offer('src', 'x'),
      offer('src/a.js', 'x'),
    ],
  )
  expect(files.map(({ path }) => path)).toEqual(['src'])
  expect(rejected.map(({ path, reason }) => `${path} ${reason.split(':')[0]}`)).toEqual([
    'logo.png is not text',
    'nul.bin is not text',
    '../up.js has a name that cannot be sent',
    'large.txt exceeds the total limit of 1,500,000 characters',
    'gone.js could not be read',
    'src/a.js has a name that cannot be sent',
  ])
})

test('a folder adds at most the allowed number of files, without generated ones', async () => {
  const many = Array.from({ length: FILES_MAX + 1 }, (_, i) => offer(`f${i}.js`, ''))
  const { files, rejected } = await acceptFiles(
    [],
    [offer('node_modules/x/index.js', 'x'), offer('.git/config', 'x'), ...many],
  )
  expect(files.length).toBe(FILES_MAX)
  expect(rejected).toEqual([
    { path: `f${FILES_MAX}.js`, reason: expect.stringContaining('exceeds the limit of 200 files') },
  ])
})

test('a path is relative and stays inside the folder', () => {
  expect(cleanPath('/a\\b.js')).toBe('a/b.js')
  for (const path of ['', '/', '..', 'a/../b', 'a//b', 'a/\u0007', 'x'.repeat(241)])
    expect(cleanPath(path)).toBeNull()
})

test('secret files of a folder are not sent until they are allowed', async () => {
  const { files, withheld } = await acceptFiles(
    [],
    [offer('.env', 'A=1'), offer('.env.example', 'A='), offer('a.js', 'x')],
  )
  expect(files.map(({ path }) => path)).toEqual(['.env.example', 'a.js'])
  expect(withheld).toEqual([{ path: '.env', content: 'A=1' }])
})

test('secrets are sent only from files that were allowed individually', () => {
  const key = ['sk_live_', 'f3a9c1d27b', '84e605f1a2', 'c9d3b7e8f0', '1a2b4c6d8e'].join('')
  const env: TaskFile = { path: '.env', content: `KEY=${key}` }
  const code: TaskFile = { path: 'pay.js', content: `const key = '${key}'` }
  const plain: TaskFile = { path: 'a.js', content: 'x' }
  const bodyFor = (...files: TaskFile[]) =>
    quoteBody({ prompt: 'x', files, options: DEFAULT_OPTIONS, tier: 'individual' }, null)
  const pathsFor = (...files: TaskFile[]) => bodyFor(...files).context?.map(({ path }) => path)
  // The service masks the key inside the code.
  expect(pathsFor(env, code, plain)).toEqual(['pay.js', 'a.js'])
  expect(bodyFor(env, code, plain).allowSecrets).toBeUndefined()
  expect(pathsFor({ ...env, allowSecrets: true }, code, plain)).toEqual(['.env', 'a.js'])
  expect(bodyFor({ ...env, allowSecrets: true }, code, plain).allowSecrets).toBe(true)
  expect(bodyFor(env, { ...code, allowSecrets: true }).context).toEqual([
    { path: 'pay.js', content: code.content },
  ])
})
