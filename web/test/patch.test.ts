// Git applies the patches in a checkout of the sent files.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { zipOf } from '../src/screens/agent/result/zip.ts'
import { type Change, patchOf } from '../src/ui/diff/git-patch.ts'

const long = Array.from({ length: 60 }, (_, i) => `line ${i}`)
const changes: Change[] = [
  { path: 'src/sum.js', action: 'update', before: 'a\nb\nc\n', after: 'a\nB\nc\nd\n' },
  {
    path: 'long.txt',
    action: 'update',
    before: long.join('\n'),
    after: long.with(3, 'three').with(50, 'fifty').join('\n'),
  },
  { path: 'ends.txt', action: 'update', before: 'one\ntwo', after: 'one\ntwo\n' },
  { path: 'open.txt', action: 'update', before: 'one\ntwo\n', after: 'one\n2' },
  { path: 'windows.txt', action: 'update', before: 'one\r\ntwo\r\n', after: 'one\r\nthree\r\n' },
  { path: 'filled.txt', action: 'update', before: '', after: 'now\n' },
  { path: 'emptied.txt', action: 'update', before: 'now\n', after: '' },
  { path: 'docs/Ọjọ́ and more.md', action: 'update', before: '₦\n', after: '₵\n' },
  { path: 'a "quoted" name.txt', action: 'update', before: 'x\n', after: 'y\n' },
  { path: 'new/deep/file.ts', action: 'create', before: '', after: 'export {}\n' },
  { path: 'new/open.ts', action: 'create', before: '', after: 'no end' },
  { path: 'new/empty', action: 'create', before: '', after: '' },
  { path: 'gone.txt', action: 'delete', before: 'x\ny', after: '' },
  { path: 'gone empty.txt', action: 'delete', before: '', after: '' },
  { path: 'same.txt', action: 'update', before: 'x\n', after: 'x\n' },
]

test('git applies updates, new and deleted files, unusual names and missing final newlines', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cowrie-patch-'))
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' })
  try {
    git('init', '-q')
    for (const { path, action, before } of changes) {
      if (action === 'create') continue
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), before)
    }
    writeFileSync(join(folder, 'it.patch'), patchOf(changes))
    git('apply', '--check', 'it.patch')
    git('apply', 'it.patch')
    for (const { path, action, after } of changes) {
      if (action === 'delete') expect(existsSync(join(folder, path))).toBe(false)
      else expect(readFileSync(join(folder, path), 'utf8')).toBe(after)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('if no patch can be created, the files are in an archive that other programs can read', () => {
  const files = changes.map(({ path, after }) => ({ path, content: after }))
  const zip = Buffer.from(zipOf(files, new Date('2026-11-16T10:42:08Z')))
  const end = zip.length - 22
  expect(zip.readUInt32LE(end)).toBe(0x06054b50)
  expect(zip.readUInt16LE(end + 10)).toBe(files.length)
  let entry = zip.readUInt32LE(end + 16)
  for (const { path, content } of files) {
    expect(zip.readUInt32LE(entry)).toBe(0x02014b50)
    const [crc, size, nameLength] = [16, 24, 28].map((at) => zip.readUInt32LE(entry + at)) as [
      number,
      number,
      number,
    ]
    const name = zip.toString('utf8', entry + 46, entry + 46 + (nameLength & 0xffff))
    const local = zip.readUInt32LE(entry + 42)
    const from = local + 30 + zip.readUInt16LE(local + 26)
    const bytes = zip.subarray(from, from + size)
    expect([name, bytes.toString(), crc32(bytes)]).toEqual([path, content, crc])
    entry += 46 + (nameLength & 0xffff)
  }
})
