// Successful and failed fetches: status, size, time and content type.
import type { RequestListener } from 'node:http'
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import { listener, openTestWeb, refusal, site, USER_AGENT, unending } from '@cowrie/testkit/platform/web.ts'
import { describe, expect, test, vi } from 'vitest'

const MEBIBYTE = 1024 * 1024
const plain = { 'content-type': 'text/plain' }

async function outcome(answer: RequestListener, limits = {}): Promise<unknown> {
  const { origin, rules } = await site(answer)
  return refusal(openTestWeb({ limits })(`${origin}/page`, rules, unending()))
}
const bodyOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString()

describe('a page', () => {
  test('is returned with its type, and the request carries only the user agent', async () => {
    const heard: string[][] = []
    const { origin, rules } = await site((request, response) => {
      heard.push(request.rawHeaders)
      response
        .writeHead(200, { 'content-type': 'Text/HTML; Charset="ISO-8859-1"', 'set-cookie': 'a=b' })
        .end('<p>hi')
    })
    const fetchPage = openTestWeb()
    const page = await fetchPage(`${origin}/page?a=b#part`, rules, unending())
    expect(page).toMatchObject({ status: 200, contentType: 'text/html', charset: 'iso-8859-1', redirects: 0 })
    expect(page.url).toBe(`${origin}/page?a=b`)
    expect(bodyOf(page.bytes)).toBe('<p>hi')
    await fetchPage(`${origin}/again`, rules, unending())
    const names = heard.map((raw) => raw.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase()))
    expect(names[1]?.sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
    expect(heard[1]).toContain(USER_AGENT)
  })

  test('is fetched directly, ignoring proxy variables of the environment', async () => {
    const proxy = { visits: 0 }
    const port = await listener((socket) => {
      proxy.visits++
      socket.destroy()
    })
    for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'])
      vi.stubEnv(name, `http://127.0.0.1:${port}`)
    vi.stubEnv('NODE_USE_ENV_PROXY', '1')
    try {
      expect(await outcome((_, response) => void response.writeHead(200, plain).end('here'))).toBeNull()
    } finally {
      vi.unstubAllEnvs()
    }
    expect(proxy.visits).toBe(0)
  })

  test.for([400, 401, 403, 404, 410, 429, 451, 500, 503, 206, 300, 304])(
    'with status %i fails with that status as its reason',
    async (status) => {
      expect(await outcome((_, response) => void response.writeHead(status, plain).end())).toBe(
        `http_${status}`,
      )
    },
  )

  test('without a body is empty', async () => {
    expect(await outcome((_, response) => void response.writeHead(200, plain).end())).toBe('empty')
    expect(await outcome((_, response) => void response.writeHead(204).end())).toBe('empty')
  })

  test('on a missing host is unreachable', async () => {
    const rules = { allow: ['127.0.0.1:1'], userAgent: USER_AGENT }
    expect(await refusal(openTestWeb()('http://127.0.0.1:1/', rules, unending()))).toBe('unreachable')
  })

  test('that the caller aborts rejects with the reason of the caller, before, during and inside the body', async () => {
    const gone = new Error('the run was cancelled')
    const { origin, rules } = await site((request, response) => {
      if (request.url === '/body') response.writeHead(200, plain).write('the beginning')
    })
    const fetchPage = openTestWeb()
    expect(await refusal(fetchPage(origin, rules, AbortSignal.abort(gone)))).toBe(gone)
    for (const path of ['/silent', '/body']) {
      const caller = new AbortController()
      const fetching = refusal(fetchPage(origin + path, rules, caller.signal))
      setTimeout(() => caller.abort(gone), 30)
      expect(await fetching).toBe(gone)
    }
  })
})

describe('a redirect', () => {
  /** A site that redirects from `/n` to `/n+1`, and from the last one to `end`. */
  const chain = (length: number, end: string) =>
    site(({ url }, response) => {
      const n = Number(url?.slice(1))
      if (url === '/end') response.writeHead(200, plain).end('arrived')
      else response.writeHead(302, { location: n < length ? `/${n + 1}` : end }).end('moved')
    })

  test.for([301, 302, 303, 307, 308])('with status %i is followed', async (status) => {
    const { origin, rules } = await site(({ url }, response) => {
      if (url === '/end') response.writeHead(200, plain).end('arrived')
      else response.writeHead(status, { location: 'end' }).end()
    })
    expect(await openTestWeb()(`${origin}/`, rules, unending())).toMatchObject({
      url: `${origin}/end`,
      redirects: 1,
    })
  })

  test('is followed at most five times', async () => {
    const five = await chain(5, '/end')
    expect(await openTestWeb()(`${five.origin}/1`, five.rules, unending())).toMatchObject({ redirects: 5 })
    const six = await chain(6, '/end')
    expect(await refusal(openTestWeb()(`${six.origin}/1`, six.rules, unending()))).toBe('too_many_redirects')
    expect(six.requestedPaths).not.toContain('/end')
  })

  test('loop is detected', async () => {
    const { origin, rules, requestedPaths: asked } = await chain(2, '/1')
    expect(await refusal(openTestWeb()(`${origin}/1`, rules, unending()))).toBe('too_many_redirects')
    expect(asked).toEqual(['/robots.txt', '/1', '/2'])
  })

  test.for([
    ['http://127.0.0.1/', 'private_address'],
    ['http://169.254.169.254/latest/meta-data/', 'private_address'],
    ['http://[::ffff:7f00:1]/', 'private_address'],
    ['//localhost/', 'private_address'],
    ['http://metadata.google.internal/', 'private_address'],
    ['https://public.example:6379/', 'port_refused'],
    ['file:///etc/passwd', 'bad_address'],
    ['gopher://public.example/', 'bad_address'],
    ['ftp://public.example/', 'bad_address'],
    ['data:text/plain,hello', 'bad_address'],
    ['javascript:alert(1)', 'bad_address'],
    ['http://user:pass@public.example/', 'bad_address'],
    ['//user@public.example/', 'bad_address'],
    ['\\\\public.example\\', 'bad_address'],
    ['http://[', 'bad_address'],
  ])('to %s is rejected', async ([location, reason]) => {
    const { origin, rules } = await chain(1, location ?? '')
    expect(await refusal(openTestWeb()(`${origin}/1`, rules, unending()))).toBe(reason)
  })

  test('to another port of an allowlisted host is rejected', async () => {
    const visits = { count: 0 }
    const port = await listener(() => visits.count++)
    const { origin, rules } = await chain(1, `http://127.0.0.1:${port}/`)
    expect(await refusal(openTestWeb()(`${origin}/1`, rules, unending()))).toBe('private_address')
    expect(visits.count).toBe(0)
  })

  test('without a location is an ordinary response', async () => {
    expect(await outcome((_, response) => void response.writeHead(302).end())).toBe('http_302')
  })
})

describe('time', () => {
  const limits = { headersMs: 120, pageMs: 240 }

  test('limits slow and missing headers', async () => {
    expect(await outcome(() => undefined, { headersMs: 120 })).toBe('timeout')
    const trickling: RequestListener = ({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const timer = setInterval(() => socket.write('x-a: b\r\n'), 10)
      socket.on('close', () => clearInterval(timer))
    }
    expect(await outcome(trickling, { headersMs: 120 })).toBe('timeout')
  })

  test('limits a slow body', async () => {
    const trickling: RequestListener = (_, response) => {
      response.writeHead(200, plain)
      const timer = setInterval(() => response.write('x'), 10)
      response.on('close', () => clearInterval(timer))
    }
    expect(await outcome(trickling, limits)).toBe('timeout')
  })

  test('covers all redirects together', async () => {
    let hop = 0
    const slowly: RequestListener = (_, response) => {
      setTimeout(() => response.writeHead(302, { location: `/${hop++}` }).end(), 80)
    }
    expect(await outcome(slowly, limits)).toBe('timeout')
  })
})

describe('size', () => {
  test('is limited for an endless body, which is not read to its end', async () => {
    const sent = { bytes: 0 }
    const endless: RequestListener = (_, response) => {
      response.writeHead(200, plain)
      const part = Buffer.alloc(64 * 1024, 'x')
      const more = () => {
        while (!response.destroyed && response.write(part)) sent.bytes += part.length
      }
      response.on('drain', more)
      more()
    }
    expect(await outcome(endless)).toBe('too_large')
    expect(sent.bytes).toBeLessThan(16 * MEBIBYTE)
  })

  test('is limited to 3 MiB for text and 8 MiB for PDF', async () => {
    const sized = (bytes: number, type: string) => (_: unknown, response: Parameters<RequestListener>[1]) => {
      response.writeHead(200, { 'content-type': type })
      response.write('%PDF-'.slice(0, type === 'application/pdf' ? 5 : 0) || 'xxxxx')
      response.end(Buffer.alloc(bytes - 5, 'x'))
    }
    expect(await outcome(sized(3 * MEBIBYTE, 'text/plain'))).toBeNull()
    expect(await outcome(sized(3 * MEBIBYTE + 1, 'text/plain'))).toBe('too_large')
    expect(await outcome(sized(8 * MEBIBYTE, 'application/pdf'))).toBeNull()
    expect(await outcome(sized(8 * MEBIBYTE + 1, 'application/pdf'))).toBe('too_large')
  })

  test('is taken from the content-length header where there is one', async () => {
    const announced = { ...plain, 'content-length': String(3 * MEBIBYTE + 1) }
    expect(await outcome((_, response) => void response.writeHead(200, announced).flushHeaders())).toBe(
      'too_large',
    )
  })

  test('counts decompressed bytes', async () => {
    const text = 'a page '.repeat(1_000)
    for (const [encoding, bytes] of [
      ['gzip', gzipSync(text)],
      ['x-gzip', gzipSync(text)],
      ['deflate', deflateSync(text)],
      ['br', brotliCompressSync(text)],
      ['identity', Buffer.from(text)],
    ] as const) {
      const { origin, rules } = await site(
        (_, response) => void response.writeHead(200, { ...plain, 'content-encoding': encoding }).end(bytes),
      )
      expect(bodyOf((await openTestWeb()(origin, rules, unending())).bytes)).toBe(text)
    }
  })

  test('of a decompression bomb is detected before it is fully decompressed', async () => {
    const zeros = Buffer.alloc(48 * MEBIBYTE, ' ')
    const bombs = {
      gzip: gzipSync(zeros, { level: 1 }),
      br: brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
    }
    for (const [encoding, bytes] of Object.entries(bombs)) {
      const before = process.memoryUsage().arrayBuffers
      expect(
        await outcome(
          (_, response) =>
            void response.writeHead(200, { ...plain, 'content-encoding': encoding }).end(bytes),
        ),
      ).toBe('too_large')
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(24 * MEBIBYTE)
    }
  })

  test.for([
    ['with nested encodings', 'gzip, gzip'],
    ['with an encoding that was not offered', 'zstd'],
    ['that is not gzip', 'gzip'],
    ['that is not Brotli', 'br'],
  ])('cannot be determined for a body %s', async ([, encoding = '']) => {
    const headers = { ...plain, 'content-encoding': encoding }
    expect(await outcome((_, response) => void response.writeHead(200, headers).end('a page'))).toBe(
      'unreadable',
    )
  })

  test('cannot be determined for a truncated gzip body', async () => {
    const headers = { ...plain, 'content-encoding': 'gzip' }
    const half = gzipSync('a page '.repeat(1_000)).subarray(0, 40)
    expect(await outcome((_, response) => void response.writeHead(200, headers).end(half))).toBe('unreadable')
  })

  test('is limited for headers, one or many', async () => {
    const huge = { ...plain, 'x-huge': 'x'.repeat(20_000) }
    expect(await outcome((_, response) => void response.writeHead(200, huge).end('a page'))).toBe('too_large')
    const many: RequestListener = ({ socket }) =>
      socket.write(`HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(20_000)}\r\n`)
    expect(await outcome(many)).toBe('too_large')
  })

  test('is irrelevant for a response that is not HTTP, is truncated or switches protocols', async () => {
    expect(await outcome(({ socket }) => void socket.write('SSH-2.0-OpenSSH_9.9\r\n'))).toBe('unreadable')
    expect(await outcome(({ socket }) => void socket.destroy())).toBe('unreachable')
    const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'
    expect(await outcome(({ socket }) => void socket.write(upgrade))).toBe('unreachable')
    const short = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 100\r\n\r\nthe beginning'
    expect(await outcome(({ socket }) => void socket.end(short))).toBe('unreachable')
  })
})

describe('content type', () => {
  const ofType = (type: string | undefined, body: string | Buffer = 'a page') =>
    outcome((_, response) => {
      if (type !== undefined) response.setHeader('content-type', type)
      response.end(body)
    })

  test.for([
    'text/html',
    'text/html;charset=utf-8',
    'application/xhtml+xml',
    'text/plain',
    'text/markdown',
    'text/x-markdown',
    'application/json',
  ])('%s is accepted', async (type) => {
    expect(await ofType(type)).toBeNull()
  })

  test.for([
    'image/png',
    'image/svg+xml',
    'application/xml',
    'text/xml',
    'application/rss+xml',
    'application/octet-stream',
    'application/zip',
    'video/mp4',
    'text/css',
    'text/javascript',
    'multipart/form-data; boundary=x',
    'text/plain, text/html',
    'nonsense',
    '',
    undefined,
  ])('%s is rejected without reading the body', async (type) => {
    expect(await ofType(type)).toBe('not_text')
  })

  test.for<[string, Buffer]>([
    ['an image', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ['an archive', Buffer.from('504b0304140000000800', 'hex')],
    ['a gzip file', gzipSync('hello')],
    ['a PDF', Buffer.from('%PDF-1.7\nhello')],
    ['noise', Buffer.from(Array.from({ length: 1_000 }, (_, i) => (i * 7) % 256))],
  ])('text/plain with %s as its content is rejected', async ([, bytes]) => {
    expect(await ofType('text/html', bytes)).toBe('not_text')
  })

  test('accepts UTF-16 text, by its byte order mark or by its charset', async () => {
    const wide = Buffer.from('a page', 'utf16le')
    expect(await ofType('text/plain; charset=utf-16le', wide)).toBeNull()
    expect(await ofType('text/plain', Buffer.concat([Buffer.from([0xff, 0xfe]), wide]))).toBeNull()
    expect(await ofType('text/plain', wide)).toBe('not_text')
  })

  test('accepts text in other scripts and with a stray control character', async () => {
    expect(await ofType('text/plain', `${'страница, 頁, صفحة \u001b[1m '.repeat(3)}\u0001`)).toBeNull()
  })

  test('accepts application/pdf only with PDF content', async () => {
    expect(await ofType('application/pdf', '%PDF-1.7\nhello')).toBeNull()
    expect(await ofType('application/pdf', '<html>Please sign in</html>')).toBe('not_text')
  })
})
