// Archives that were made to do harm: each is refused by name, in memory, before anything is written anywhere.
import { gzipSync } from 'node:zlib'
import { createTarball } from '@cowrie/testkit/fakes/github/api.ts'
import { expect, test } from 'vitest'
import { unpackArchive } from './unpack-archive.ts'

type Made = { readonly name: string; readonly type?: string; readonly body?: Buffer; readonly size?: number }

function entry({ name, type = '0', body = Buffer.alloc(0), size = body.length }: Made): Buffer {
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
const archive = (...made: Made[]) =>
  gzipSync(Buffer.concat([...made.map(entry), Buffer.alloc(1024)]), { level: 9 })
/** So many folders, packed without packing, so that their number alone is what is wrong. */
const crowd = (count: number) => {
  const folder = entry({ name: 'top/folder', type: '5' })
  return gzipSync(Buffer.concat(Array<Buffer>(count).fill(folder)), { level: 0 })
}
const reasonOf = async (bytes: Buffer) => {
  const unpacked = await unpackArchive(bytes)
  return 'refused' in unpacked ? unpacked.refused : null
}
const pax = (record: string): Made => ({ name: 'pax', type: 'x', body: Buffer.from(record) })

test.each([
  ['a bomb', () => archive({ name: 'top/a', body: Buffer.alloc(3 << 20) }), 'archive_too_large'],
  ['a path upwards', () => archive({ name: 'top/../../etc/passwd' }), 'archive_has_bad_paths'],
  [
    'a path upwards in a record',
    () => archive(pax('20 path=top/../../x\n'), { name: 'top/x' }),
    'archive_has_bad_paths',
  ],
  ['an absolute path', () => archive({ name: '/etc/passwd' }), 'archive_has_bad_paths'],
  ['a symbolic link', () => archive({ name: 'top/link', type: '2' }), 'archive_has_links'],
  ['a hard link', () => archive({ name: 'top/link', type: '1' }), 'archive_has_links'],
  ['a device', () => archive({ name: 'top/null', type: '3' }), 'archive_has_links'],
  ['a file twice', () => archive({ name: 'top/a' }, { name: 'top/a' }), 'archive_has_bad_paths'],
  ['too many entries', () => crowd(20_001), 'archive_too_many_entries'],
  [
    'a file that is longer than the archive',
    () => archive({ name: 'top/a', size: 1_000_000 }),
    'archive_unreadable',
  ],
  [
    'a size that a record changes',
    () => archive(pax('11 size=99\n'), { name: 'top/a' }),
    'archive_unreadable',
  ],
  ['no archive at all', () => Buffer.from('not packed'), 'archive_unreadable'],
  ['a packed text', () => gzipSync('x'.repeat(2_000)), 'archive_unreadable'],
] as const)('%s is refused', async (_, make, reason) => {
  expect(await reasonOf(make())).toBe(reason)
})

test('what GitHub packs comes out as it went in, with long names and without its folder', async () => {
  const long = `${'deep/'.repeat(25)}file.js`
  const unpacked = await unpackArchive(createTarball({ 'a.js': 'x\n', [long]: 'ä' }))
  const files = 'files' in unpacked ? unpacked.files : new Map<string, Uint8Array>()
  expect([...files].map(([path, body]) => [path, Buffer.from(body).toString()])).toEqual([
    ['a.js', 'x\n'],
    [long, 'ä'],
  ])
})
