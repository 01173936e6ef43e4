import { randomBytes } from 'node:crypto'
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { read, text } from '@cowrie/testkit/fakes/s3.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStorage } from './open-storage.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cowrie-storage-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function fresh() {
  const root = await mkdtemp(join(folder, 'fresh-'))
  return { root: join(root, 'storage'), outside: root, storage: openStorage('file:', root) }
}

test('never follows a link out of its folder', async () => {
  const { root, outside, storage } = await fresh()
  await mkdir(join(outside, 'secret'))
  await storage.put('here/file', text('inside'), { contentType: 'text/plain' })
  await writeFile(join(outside, 'secret', 'file@'), await readFile(join(root, 'here', 'file@')))
  await symlink(join(outside, 'secret'), join(root, 'linked'))
  await symlink(join(outside, 'secret', 'file@'), join(root, 'here', 'alias@'))

  await expect(storage.get('linked/file')).rejects.toThrow()
  await expect(storage.delete('linked/file')).rejects.toThrow()
  await expect(storage.put('linked/new/file', text('x'), { contentType: 'text/plain' })).rejects.toThrow()
  await expect(storage.get('here/alias')).rejects.toThrow()
  expect(await readdir(join(outside, 'secret'))).toEqual(['file@'])

  await storage.put('here/alias', text('mine'), { contentType: 'text/plain' })
  expect((await read(storage, 'here/alias'))?.content.toString()).toBe('mine')
  expect(await readFile(join(outside, 'secret', 'file@'), 'utf8')).toContain('inside')
})

test('a file that is truncated or has no header is reported, not served', async () => {
  const { root, storage } = await fresh()
  await storage.put('a', randomBytes(10_000), { contentType: 'text/plain' })
  await truncate(join(root, 'a@'), 5_000)
  await expect(storage.get('a')).rejects.toThrow('damaged')
  await writeFile(join(root, 'a@'), 'x'.repeat(600))
  await expect(storage.get('a')).rejects.toThrow('damaged')
})

test('files are private to the service, and incomplete files are deleted after a day', async () => {
  const { root, storage } = await fresh()
  await mkdir(join(root, '.tmp'), { recursive: true })
  await writeFile(join(root, '.tmp', 'old'), 'x')
  await writeFile(join(root, '.tmp', 'new'), 'x')
  await utimes(join(root, '.tmp', 'old'), new Date('2020-01-01'), new Date('2020-01-01'))
  await storage.put('a/b', text('x'), { contentType: 'text/plain' })
  expect(await readdir(join(root, '.tmp'))).toEqual(['new'])
  expect((await stat(join(root, 'a', 'b@'))).mode & 0o777).toBe(0o600)
  expect((await stat(join(root, 'a'))).mode & 0o777).toBe(0o700)
})

test('another folder can be used; the check fails while it cannot be created and recovers', async () => {
  const blocked = join(folder, 'blocked')
  await writeFile(blocked, 'a file where the folder should be')
  const storage = openStorage(`file://${blocked}/storage`, folder)
  await expect(storage.check()).rejects.toThrow()
  await rm(blocked)
  await storage.check()
  await storage.put('a', text('x'), { contentType: 'text/plain' })
  expect(await readdir(join(blocked, 'storage'))).toContain('a@')
})
