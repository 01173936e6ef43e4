// URLs that are accepted or rejected before any DNS lookup.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseDestination } from './destination.ts'
import { PageRefused } from './page.ts'

const border = { allow: [], ports: new Set([80, 443]) }

function reasonOf(address: string, from?: URL): string | null {
  try {
    parseDestination(address, border, from)
    return null
  } catch (error) {
    return error instanceof PageRefused ? error.reason : String(error)
  }
}

// The same few private hosts, in every notation that some parser accepts.
const INSIDE =
  `127.0.0.1 127.0.0.2 127.1 127.0.1 127.255.255.254 2130706433 017700000001 0x7f000001 0x7f.1 0177.1
  0x7f.0x0.0x0.0x1 0177.0.0.1 0177.0000.0000.0001 0x7F.0.0.1 127.0x1 00000177.1 127.0.0.1. 0 0.0.0.0 0x0 00 0.1
  １２７.０.０.１ ①②⑦.⓪.⓪.① 127。0。0。1 127．0．0．1 127｡1 %31%32%37.0.0.1 127%2e0%2e0%2e1 12\u00AD7.0.0.1
  10.0.0.1 10.1 167772161 0xa000001 012.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 192.168.257 3232235777
  100.64.0.1 100.100.100.200 168.63.129.16 0xa83f8110 168.63.33040 161.26.0.10 166.9.0.1 192.0.0.192
  169.254.169.254 2852039166 0xa9fea9fe 0251.0376.0251.0376 169.254.43518
  192.0.0.1 192.0.2.1 192.88.99.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 4294967295
  [::1] [::] [0:0:0:0:0:0:0:1] [0000:0000::0001] [::127.0.0.1] [::7f00:1] [::ffff:127.0.0.1] [::ffff:7f00:1]
  [0:0:0:0:0:ffff:127.0.0.1] [::ffff:a9fe:a9fe] [::ffff:8.8.8.8] [::ffff:0:127.0.0.1] [::ffff:0:7f00:1] [::8.8.8.8]
  [64:ff9b::127.0.0.1] [64:ff9b::a9fe:a9fe] [64:ff9b:1::7f00:1] [2002:7f00:1::] [2002:a9fe:a9fe::1] [2002:808:808::1]
  [2001:0:7f00:1::] [2001::1] [2001:db8::1] [3fff::1] [2001:10::1] [2001:20::1] [2001:2::1] [2001:4:112::1] [100::1]
  [fe80::1] [fec0::1] [fc00::1] [fd00:ec2::254] [ff02::1] [4000::1] [5f00::1] [2606:4700::5efe:7f00:1]
  [2606:4700::200:5efe:a00:1]`.split(/\s+/)

describe('a URL', () => {
  test('has at least the 61 known notations of private hosts in the table, each once', () => {
    expect(INSIDE.length).toBeGreaterThanOrEqual(61)
    expect(new Set(INSIDE).size).toBe(INSIDE.length)
  })

  test('with one of those hosts is rejected', () => {
    const from = new URL('https://public.example/')
    const isMissed = (host: string) =>
      [reasonOf(`http://${host}/`), reasonOf(`https://${host}:443/page`), reasonOf(`//${host}/`, from)].some(
        (reason) => reason !== 'private_address',
      )
    expect(INSIDE.filter(isMissed)).toEqual([])
  })

  test('with a private IP address is rejected in every notation', () => {
    const byte = fc.integer({ min: 0, max: 255 })
    const inside = fc.oneof(
      fc.tuple(fc.constantFrom(0, 10, 127, 240), byte, byte, byte),
      fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
      fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
      fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
    )
    const radix = fc.constantFrom(
      (n: number) => `${n}`,
      (n: number) => `0x${n.toString(16)}`,
      (n: number) => `0${n.toString(8)}`,
    )
    const parts = fc.integer({ min: 1, max: 4 })
    fc.assert(
      fc.property(inside, parts, fc.tuple(radix, radix, radix, radix), (bytes, count, radixes) => {
        const last = bytes.slice(count - 1).reduce((sum, each) => sum * 256 + each, 0)
        const numbers = [...bytes.slice(0, count - 1), last]
        const host = numbers.map((each, i) => radixes[i]?.(each)).join('.')
        const [a, b, c, d] = bytes
        const halves = [a * 256 + b, c * 256 + d].map((half) => half.toString(16)).join(':')
        const wrapped = ['::', '::ffff:', '::ffff:0:', '64:ff9b::'].map((prefix) => `[${prefix}${halves}]`)
        const hosts = [host, ...wrapped, `[2002:${halves}::1]`]
        return hosts.every((each) => reasonOf(`http://${each}/`) === 'private_address')
      }),
      { numRuns: 300 },
    )
  })

  test.for(
    `localhost LOCALHOST localhost. a.localhost ｌｏｃａｌｈｏｓｔ kubernetes metadata metadata.google.internal
    metadata.google.internal. instance-data.ec2.internal printer.local nas.lan router.home vault.corp wiki.intranet
    host.localdomain 1.0.0.127.in-addr.arpa db.svc.cluster.local`.split(/\s+/),
  )('with the internal name %s is rejected', (host) => {
    expect(reasonOf(`http://${host}/`)).toBe('private_address')
  })

  test.for([
    ['', 'nothing'],
    ['page', 'no address'],
    ['//public.example/', 'no scheme'],
    ['http://', 'no host'],
    ['http:///', 'no host'],
    ['https://:443/', 'only a port'],
    ['ftp://public.example/', 'another protocol'],
    ['file:///etc/passwd', 'a file'],
    ['gopher://public.example/', 'another protocol'],
    ['javascript:alert(1)', 'no place'],
    ['data:text/html,hello', 'no place'],
    ['blob:https://public.example/1', 'no place'],
    ['view-source:https://public.example/', 'no place'],
    ['http://user@public.example/', 'a user'],
    ['http://user:pass@public.example/', 'credentials'],
    ['http://@public.example/', 'an empty user name'],
    ['http://:@public.example/', 'empty credentials'],
    ['http://public.example@10.0.0.1/', 'a user name that looks like a host'],
    ['http://public.example\\@10.0.0.1/', 'a backslash'],
    ['http:\\\\public.example\\', 'backslashes'],
    ['http://public.example\t.evil.example/', 'a tab'],
    ['http://public.\nexample/', 'a line feed'],
    ['http://public.example/\r\nx: y', 'a header'],
    ['http://public.example/\u0000', 'a zero'],
    ['http://public.example\u007f/', 'a delete'],
    ['http://public%09.example/', 'an encoded tab'],
    ['http://public%00.example/', 'an encoded zero byte'],
    ['http://public%2f.example/', 'an encoded slash'],
    ['http://public .example/', 'a space'],
    ['http://[::1%25eth0]/', 'a zone'],
    ['http://[fe80::1%eth0]/', 'a zone'],
    ['http://[::1/', 'an unclosed bracket'],
    ['http://256.256.256.256/', 'an octet above 255'],
    ['http://1.2.3.4.5/', 'too many octets'],
    ['http://public.example./', 'a trailing dot'],
    ['http://public.example../', 'two trailing dots'],
    [`http://public.example/${'x'.repeat(2_100)}`, 'too much'],
  ])('%s is rejected: %s', ([address]) => {
    expect(reasonOf(address ?? '')).toBe('bad_address')
  })

  test.for([22, 25, 53, 110, 3306, 5432, 6379, 8080, 8443, 9200, 11211, 65535])(
    'is rejected on port %i',
    (port) => {
      expect(reasonOf(`http://public.example:${port}/`)).toBe('port_refused')
    },
  )

  test.for([
    'http://public.example',
    'https://public.example:443/a?b=c#d',
    'https://public.example:80/',
    'https://münchen.example/straße',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
    ' https://public.example/a b ',
    'https://public.example/@someone',
  ])('%s is accepted', (address) => {
    expect(reasonOf(address)).toBeNull()
  })

  test('may be private when its host and port are allowlisted', () => {
    const own = { allow: ['localhost:8080', ' Wiki.internal:80', '[::1]:443'], ports: border.ports }
    expect(parseDestination('http://localhost:8080/x', own)).toMatchObject({
      host: 'localhost',
      port: 8080,
      isAllowlisted: true,
    })
    expect(parseDestination('http://wiki.INTERNAL/', own)).toMatchObject({ port: 80, isAllowlisted: true })
    expect(parseDestination('https://[::1]/', own)).toMatchObject({ host: '::1', isAllowlisted: true })
    for (const other of [
      'http://localhost:8081/',
      'http://localhost/',
      'https://wiki.internal/',
      'http://127.0.0.1:8080/',
    ])
      expect(() => parseDestination(other, own)).toThrow(PageRefused)
  })

  test('loses its fragment', () => {
    expect(parseDestination('https://public.example/a?b#c', border).url.href).toBe(
      'https://public.example/a?b',
    )
  })
})
