// Malicious archives: each is rejected with a reason, in memory, before anything is written.
import { gzipSync } from 'node:zlib'
import { createTarball } from '@cowrie/testkit/fakes/github/api.ts'
import { expect, test } from 'vitest'
import { unpackArchive } from './unpack-archive.ts'

type EntryInput = {
  readonly name: string
  readonly type?: string
  readonly body?: Buffer
  readonly size?: number
}

function entry({ name, type = '0', body = Buffer.alloc(0), size = body.length }: EntryInput): Buffer {
  const header = Buffer.alloc(512)
  header.write(name, 0, 'latin1')
  header.write('0000644\0', 100, 'latin1')
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124, 'latin1')
  header.write(type, 156, 'latin1')
  header.write('ustar\x0000', 257, 'latin1')
  header.fill(0x20, 148, 156)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return Buffer.concat([header, body, Buffer.alloc((512 - (body.length % 512)) % 512)])
}
const archive = (...entries: EntryInput[]) =>
  gzipSync(Buffer.concat([...entries.map(entry), Buffer.alloc(1024)]), { level: 9 })
/** Many folders without compression, so that only their number exceeds a limit. */
const manyFolders = (count: number) => {
  const folder = entry({ name: 'top/folder', type: '5' })
  return gzipSync(Buffer.concat(Array<Buffer>(count).fill(folder)), { level: 0 })
}
const reasonOf = async (bytes: Buffer) => {
  const unpacked = await unpackArchive(bytes)
  return 'refused' in unpacked ? unpacked.refused : null
}
const pax = (record: string): EntryInput => ({ name: 'pax', type: 'x', body: Buffer.from(record) })

test.each([
  [
    'a decompression bomb',
    () => archive({ name: 'top/a', body: Buffer.alloc(3 << 20) }),
    'archive_too_large',
  ],
  ['a path with ..', () => archive({ name: 'top/../../etc/passwd' }), 'archive_has_bad_paths'],
  [
    'a path with .. in a pax record',
    () => archive(pax('20 path=top/../../x\n'), { name: 'top/x' }),
    'archive_has_bad_paths',
  ],
  ['an absolute path', () => archive({ name: '/etc/passwd' }), 'archive_has_bad_paths'],
  ['a symbolic link', () => archive({ name: 'top/link', type: '2' }), 'archive_has_links'],
  ['a hard link', () => archive({ name: 'top/link', type: '1' }), 'archive_has_links'],
  ['a device', () => archive({ name: 'top/null', type: '3' }), 'archive_has_links'],
  ['a file twice', () => archive({ name: 'top/a' }, { name: 'top/a' }), 'archive_has_bad_paths'],
  ['too many entries', () => manyFolders(20_001), 'archive_too_many_entries'],
  [
    'a file that is longer than the archive',
    () => archive({ name: 'top/a', size: 1_000_000 }),
    'archive_unreadable',
  ],
  [
    'a pax record that overrides the size',
    () => archive(pax('11 size=99\n'), { name: 'top/a' }),
    'archive_unreadable',
  ],
  ['text that is not gzip', () => Buffer.from('not packed'), 'archive_unreadable'],
  ['gzip that is not tar', () => gzipSync('x'.repeat(2_000)), 'archive_unreadable'],
] as const)('%s is rejected', async (_, make, reason) => {
  expect(await reasonOf(make())).toBe(reason)
})

test('an archive of GitHub is unpacked, with long names and without its top folder', async () => {
  const long = `${'deep/'.repeat(25)}file.js`
  const unpacked = await unpackArchive(createTarball({ 'a.js': 'x\n', [long]: 'ä' }))
  const files = 'files' in unpacked ? unpacked.files : new Map<string, Uint8Array>()
  expect([...files].map(([path, body]) => [path, Buffer.from(body).toString()])).toEqual([
    ['a.js', 'x\n'],
    [long, 'ä'],
  ])
})
