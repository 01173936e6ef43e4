import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pageHeaders } from '../reply/headers.ts'
import { mountSite, readSite } from './static.ts'

const folder = mkdtempSync(join(tmpdir(), 'cowrie-site-'))
const http = fastify()

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>App</title>')
  writeFileSync(join(folder, 'assets', 'main-AbCd1234.js'), 'console.log(1)'.repeat(50))
  writeFileSync(join(folder, 'assets', 'main-AbCd1234.js.map'), '{}')
  writeFileSync(join(folder, '.stamp'), 'x')
  writeFileSync(join(folder, 'licences.txt'), 'MIT – free to use')
  symlinkSync('/etc/hostname', join(folder, 'link.txt'))
  mountSite(http, {
    prefix: '/app',
    files: readSite(folder),
    page: 'index.html',
    fallback: true,
    headers: pageHeaders(),
  })
  await http.ready()
})
afterAll(async () => {
  await http.close()
  rmSync(folder, { recursive: true })
})
const get = (url: string, headers: Record<string, string> = {}) => http.inject({ url, headers })

describe('a site', () => {
  test('serves plain text as text, without caching', async () => {
    const reply = await get('/app/licences.txt')
    expect(reply.body).toBe('MIT – free to use')
    expect(reply.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-cache',
    })
  })

  test('serves its page for its root and for the paths of the app', async () => {
    for (const url of ['/app', '/app/', '/app/wallet/ledger', '/app?x=1']) {
      const reply = await get(url)
      expect(reply.statusCode, url).toBe(200)
      expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(reply.headers['content-security-policy']).toContain("script-src 'self'")
      expect(reply.headers['content-security-policy']).not.toContain('unsafe')
    }
  })

  test('caches hashed assets forever and revalidates its page', async () => {
    const asset = await get('/app/assets/main-AbCd1234.js')
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    const page = await get('/app')
    expect(page.headers['cache-control']).toBe('no-cache')
    expect((await get('/app', { 'if-none-match': String(page.headers.etag) })).statusCode).toBe(304)
  })

  test('is compressed for clients that support it', async () => {
    const packed = await get('/app/assets/main-AbCd1234.js', { 'accept-encoding': 'gzip, br' })
    expect(packed.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(packed.rawPayload).toString()).toBe('console.log(1)'.repeat(50))
    expect(
      (await get('/app/assets/main-AbCd1234.js', { 'accept-encoding': 'gzip' })).headers['content-encoding'],
    ).toBe('gzip')
    expect((await get('/app/assets/main-AbCd1234.js')).headers['content-encoding']).toBeUndefined()
  })

  test.for([
    { accepts: 'br;q=0, gzip;q=0', encoding: undefined },
    { accepts: 'br;q=0, gzip', encoding: 'gzip' },
    { accepts: 'gzip;q=1, br;q=0.5', encoding: 'gzip' },
    { accepts: 'identity, br;q=0.1', encoding: undefined },
    { accepts: 'BR', encoding: 'br' },
    { accepts: 'zstd, gzip;q=0.9', encoding: 'gzip' },
    { accepts: 'x-br', encoding: undefined },
  ])(
    'is sent with the encoding $encoding to a client that accepts "$accepts"',
    async ({ accepts, encoding }) => {
      const reply = await get('/app/assets/main-AbCd1234.js', { 'accept-encoding': accepts })
      expect(reply.headers['content-encoding']).toBe(encoding)
    },
  )

  test('is not sent again to a client that has one of several copies, or a weak one', async () => {
    const etag = String((await get('/app')).headers.etag)
    // Weak, because the plain and the compressed copy share it.
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/)
    for (const copies of [`"other", ${etag}`, etag.replace('W/', ''), '*'])
      expect((await get('/app', { 'if-none-match': copies })).statusCode, copies).toBe(304)
    expect((await get('/app', { 'if-none-match': '"other"' })).statusCode).toBe(200)
  })

  test('allows only GET and HEAD', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      const reply = await http.inject({ method, url: '/app/wallet' })
      expect(reply.headers.allow).toBe('GET, HEAD')
      expect(reply.json()).toMatchObject({ code: 'method_not_allowed' })
    }
  })

  test.for([
    '/app/assets/main-AbCd1234.js.map',
    '/app/.stamp',
    '/app/link.txt',
    '/app/missing.js',
    '/app/../package.json',
    '/app/%2e%2e/package.json',
    '/app/..%2f..%2fetc%2fpasswd.txt',
    '/app/.git/config.txt',
    '/app/.env',
  ])('does not serve %s', async (url) => {
    expect((await get(url)).statusCode).toBeGreaterThanOrEqual(400)
  })
})
