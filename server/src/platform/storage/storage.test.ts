import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { digest, environment, pieces, read, startS3, text } from '@cowrie/testkit/fakes/s3.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStorage } from './open-storage.ts'
import type { Storage } from './storage.ts'

let folder: string
let s3: Awaited<ReturnType<typeof startS3>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cowrie-storage-'))
  s3 = await startS3(join(folder, 's3'))
})
afterAll(async () => {
  await s3.close()
  await rm(folder, { recursive: true, force: true })
})

const open = (kind: string): Storage => openStorage(kind === 'file' ? 'file:' : s3.url, folder, environment)

describe.for(['file', 's3'])('%s storage', (kind) => {
  const key = (name: string) => `tests/${kind}/${name}`

  test('returns the stored bytes with type, length and digest', async () => {
    const storage = open(kind)
    const bytes = randomBytes(3_000_001)
    const stored = await storage.put(key('att_1/photo.png'), bytes, { contentType: 'image/png' })
    expect(stored).toEqual({ bytes: bytes.length, sha256: digest(bytes) })
    const found = await read(storage, key('att_1/photo.png'))
    expect(found).toMatchObject({ bytes: bytes.length, contentType: 'image/png' })
    expect(digest(found?.content ?? text(''))).toBe(digest(bytes))
  })

  test('accepts a stream and an empty file', async () => {
    const storage = open(kind)
    const bytes = randomBytes(700_000)
    const stored = await storage.put(key('streamed'), pieces(bytes, 65_537), {
      contentType: 'application/zip',
    })
    expect(stored).toEqual({ bytes: bytes.length, sha256: digest(bytes) })
    expect(digest((await read(storage, key('streamed')))?.content ?? text(''))).toBe(digest(bytes))

    await storage.put(key('empty'), new Uint8Array(), { contentType: 'text/plain; charset=utf-8' })
    expect(await read(storage, key('empty'))).toEqual({
      bytes: 0,
      contentType: 'text/plain; charset=utf-8',
      content: Buffer.alloc(0),
    })
  })

  test('replaces and deletes objects, and deleting a missing one succeeds', async () => {
    const storage = open(kind)
    await storage.put(key('note'), text('one'), { contentType: 'text/plain' })
    await storage.put(key('note'), text('two'), { contentType: 'text/markdown' })
    expect(await read(storage, key('note'))).toMatchObject({
      contentType: 'text/markdown',
      content: Buffer.from('two'),
    })
    await storage.delete(key('note'))
    expect(await storage.get(key('note'))).toBeNull()
    await storage.delete(key('note'))
    await storage.delete(key('never/was'))
  })

  test('separates a key from the keys below it', async () => {
    const storage = open(kind)
    const options = { contentType: 'text/plain' }
    await storage.put(key('a'), text('a'), options)
    await storage.put(key('a/b'), text('ab'), options)
    await storage.put(key('a/b/c'), text('abc'), options)
    for (const [name, content] of [
      ['a', 'a'],
      ['a/b', 'ab'],
      ['a/b/c', 'abc'],
    ] as const)
      expect((await read(storage, key(name)))?.content.toString()).toBe(content)
  })

  test('lists all objects with the time when they were stored', async () => {
    const storage = open(kind)
    const keys = ['list/a', 'list/a/b', 'list/c.d-e_f/1'].map(key)
    for (const each of keys) await storage.put(each, text(each), { contentType: 'text/plain' })
    await storage.delete(keys[2] ?? '')
    const listed = await Array.fromAsync(storage.list())
    const found = listed.filter((object) => object.key.startsWith(key('list/')))
    expect(found.map((object) => object.key).sort()).toEqual(keys.slice(0, 2))
    for (const { storedAt } of found) expect(storedAt.getTime()).toBeGreaterThan(Date.now() - 3_600_000)
  })

  test('rejects an object that is too large and keeps the previous one', async () => {
    const storage = open(kind)
    await storage.put(key('small'), text('before'), { contentType: 'text/plain', maxBytes: 6 })
    const tooMuch = randomBytes(100_001)
    for (const bytes of [tooMuch, pieces(tooMuch, 1_000)]) {
      const refused = storage.put(key('small'), bytes, { contentType: 'text/plain', maxBytes: 100_000 })
      await expect(refused).rejects.toMatchObject({ code: 'body_too_large', status: 413 })
    }
    expect((await read(storage, key('small')))?.content.toString()).toBe('before')
  })

  test('stores nothing when the source fails', async () => {
    const storage = open(kind)
    async function* breaking() {
      yield text('half')
      throw new Error('the sender went away')
    }
    await expect(storage.put(key('broken'), breaking(), { contentType: 'text/plain' })).rejects.toThrow(
      'went away',
    )
    expect(await storage.get(key('broken'))).toBeNull()
    expect(await readdir(join(folder, 'storage', '.tmp')).catch(() => [])).toEqual([])
  })

  test('stores the complete object of one of several concurrent writers', async () => {
    const storage = open(kind)
    const contents = Array.from({ length: 8 }, () => randomBytes(50_000))
    await Promise.all(
      contents.map((bytes) => storage.put(key('contested'), bytes, { contentType: 'image/gif' })),
    )
    const found = await read(storage, key('contested'))
    expect(contents.map(digest)).toContain(digest(found?.content ?? Buffer.alloc(0)))
  })

  test('allows a stream to be cancelled before its end', async () => {
    const storage = open(kind)
    await storage.put(key('long'), randomBytes(2_000_000), { contentType: 'image/gif' })
    const found = await storage.get(key('long'))
    const reader = found?.stream.getReader()
    await reader?.read()
    await reader?.cancel()
  })

  test('passes its check', async () => {
    await expect(open(kind).check()).resolves.toBeUndefined()
  })

  test('rejects malformed keys and content types', async () => {
    const storage = open(kind)
    const keys = [
      '',
      '/',
      '/a',
      'a/',
      'a//b',
      '..',
      'a/../b',
      'a/..',
      'a..b',
      './a',
      '.tmp/x',
      'A',
      'a b',
      'a\0',
      'a\n',
      'ä',
      '%2e%2e/a',
      'a\\b',
      '-a',
      'a@',
      'x'.repeat(201),
      `${'abc/'.repeat(128)}a`,
    ]
    for (const wrong of keys) {
      await expect(storage.get(wrong), wrong).rejects.toThrow('not well formed')
      await expect(storage.put(wrong, text('x'), { contentType: 'text/plain' }), wrong).rejects.toThrow(
        'not well formed',
      )
      await expect(storage.delete(wrong), wrong).rejects.toThrow('not well formed')
    }
    for (const contentType of ['', 'text', 'text/plain\r\nx: y', 'text/pläin', `text/${'x'.repeat(200)}`])
      await expect(storage.put('a', text('x'), { contentType }), contentType).rejects.toThrow(
        'not well formed',
      )
  })
})
