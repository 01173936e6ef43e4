import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { zipOf } from '../src/screens/agent/zip.ts'

test('the files of a run are in an archive that other programs can read', () => {
  const files = [
    { path: 'src/sum.js', content: 'a\nB\nc\n' },
    { path: 'docs/Ọjọ́ and more.md', content: '₵\n' },
    { path: 'new/empty', content: '' },
  ]
  const zip = Buffer.from(zipOf(files, new Date('2026-11-16T10:42:08Z')))
  const end = zip.length - 22
  expect(zip.readUInt32LE(end)).toBe(0x06054b50)
  expect(zip.readUInt16LE(end + 10)).toBe(files.length)
  let entry = zip.readUInt32LE(end + 16)
  for (const { path, content } of files) {
    expect(zip.readUInt32LE(entry)).toBe(0x02014b50)
    const [crc = 0, size = 0, nameLength = 0] = [16, 24, 28].map((at) => zip.readUInt32LE(entry + at))
    const name = zip.toString('utf8', entry + 46, entry + 46 + (nameLength & 0xffff))
    const local = zip.readUInt32LE(entry + 42)
    const from = local + 30 + zip.readUInt16LE(local + 26)
    const bytes = zip.subarray(from, from + size)
    expect([name, bytes.toString(), crc32(bytes)]).toEqual([path, content, crc])
    entry += 46 + (nameLength & 0xffff)
  }
})
