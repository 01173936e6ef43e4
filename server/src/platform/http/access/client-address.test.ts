import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bucketAddress, clientAddress, inRanges, parseRanges, parseTrustProxy } from './client-address.ts'

const nobody = parseTrustProxy(undefined)
const oneHop = parseTrustProxy('1')
const twoHops = parseTrustProxy('2')
const inner = parseTrustProxy('10.0.0.0/8, 192.0.2.7, fd00::/8')

describe('TRUST_PROXY', () => {
  test.for([undefined, '', '  '])('%j trusts no proxy', (text) => {
    expect(parseTrustProxy(text)).toEqual({ trusts: 'nobody' })
  })

  test.for(['1', ' 2 ', '32'])('%j is a number of proxies', (text) => {
    expect(parseTrustProxy(text)).toEqual({ trusts: 'hops', hops: Number(text) })
  })

  test.for(['10.0.0.0/8', '10.1.2.3', 'fd00::/8,10.0.0.1', ' ::1 , 127.0.0.1 ', '::ffff:10.0.0.0/104'])(
    '%j is a list of proxies',
    (text) => {
      expect(parseTrustProxy(text).trusts).toBe('ranges')
    },
  )

  test.for([
    'true',
    'false',
    'yes',
    '*',
    '0',
    '-1',
    '33',
    '1.5',
    '1e1',
    '0x1',
    '99999999999999999999',
    'loopback',
    'proxy.example.com',
    '1,2',
    '10.0.0.0/8,',
    ',',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/255.0.0.0',
    '010.0.0.1',
    '0x7f.1',
    '10.0.0',
    'fd00::/129',
    'fe80::1%eth0',
    '0.0.0.0/0',
    '::/0',
    '10.0.0.1, ::/0',
    '::ffff:0.0.0.0/96',
    '::ffff:10.0.0.0/8',
  ])('%j is rejected with an explanation of the format', (text) => {
    expect(() => parseTrustProxy(text)).toThrow(/^TRUST_PROXY cannot be ".*Give the number of proxies/)
  })
})

describe('the client address', () => {
  test('is the socket address when no proxy is trusted, regardless of the header', () => {
    for (let i = 0; i < 1000; i++)
      expect(clientAddress(nobody, '203.0.113.9', `198.51.100.${i % 256}, 10.0.0.${i % 256}`)).toBe(
        '203.0.113.9',
      )
  })

  test.for([
    { socket: '203.0.113.9', is: '203.0.113.9' },
    { socket: '::ffff:203.0.113.9', is: '203.0.113.9' },
    { socket: '::FFFF:cb00:7109', is: '203.0.113.9' },
    { socket: '2001:DB8:0:0:0::1', is: '2001:db8::1' },
    { socket: 'fe80::1%br-lan.7', is: 'fe80::1' },
    { socket: '', is: 'unknown' },
    { socket: undefined, is: 'unknown' },
    { socket: 'x:y', is: 'unknown' },
  ])('of the socket $socket is $is', ({ socket, is }) => {
    expect(clientAddress(nobody, socket, undefined)).toBe(is)
  })

  test.for([
    { it: 'is the entry of the only proxy', trust: oneHop, header: '198.51.100.4', is: '198.51.100.4' },
    {
      it: 'ignores entries that the client sends',
      trust: oneHop,
      header: '1.1.1.1, 198.51.100.4',
      is: '198.51.100.4',
    },
    {
      it: 'is the second from the right with two proxies',
      trust: twoHops,
      header: '1.1.1.1, 198.51.100.4, 10.0.0.2',
      is: '198.51.100.4',
    },
    {
      it: 'is the leftmost entry when there are fewer entries than proxies',
      trust: twoHops,
      header: '198.51.100.4',
      is: '198.51.100.4',
    },
    {
      it: 'is the first untrusted entry from the right',
      trust: inner,
      header: '1.1.1.1, 198.51.100.4, 192.0.2.7, 10.9.9.9',
      is: '198.51.100.4',
    },
    {
      it: 'is the leftmost entry when all are trusted',
      trust: inner,
      header: '10.0.0.7, 10.0.0.8',
      is: '10.0.0.7',
    },
    {
      it: 'works across IPv4 and IPv6 proxies',
      trust: inner,
      header: '2001:db8::5, fd12::1',
      is: '2001:db8::5',
    },
    { it: 'may have a port', trust: oneHop, header: '198.51.100.4:49152', is: '198.51.100.4' },
    { it: 'may be in brackets', trust: oneHop, header: '[2001:DB8::5]:443', is: '2001:db8::5' },
    { it: 'loses its IPv4 mapping', trust: oneHop, header: '::ffff:198.51.100.4', is: '198.51.100.4' },
    { it: 'is the proxy when it sends no header', trust: oneHop, header: undefined, is: '10.0.0.1' },
    { it: 'is the proxy when its header is empty', trust: oneHop, header: '', is: '10.0.0.1' },
    {
      it: 'is the proxy when its entry is invalid',
      trust: oneHop,
      header: '198.51.100.4, garbage',
      is: '10.0.0.1',
    },
    { it: 'is the proxy when its entry is blank', trust: oneHop, header: '198.51.100.4, ', is: '10.0.0.1' },
    {
      it: 'is the last valid hop before an invalid entry',
      trust: inner,
      header: '198.51.100.4, <script>, 10.2.2.2',
      is: '10.2.2.2',
    },
    {
      it: 'is not read from ambiguous numbers',
      trust: oneHop,
      header: '0x7f.1',
      is: '10.0.0.1',
    },
    { it: 'is not read from octal', trust: oneHop, header: '010.0.0.9', is: '10.0.0.1' },
    { it: 'handles a header of commas', trust: twoHops, header: ',,,,', is: '10.0.0.1' },
  ])('$it', ({ trust, header, is }) => {
    expect(clientAddress(trust, '10.0.0.1', header)).toBe(is)
  })

  test('is the socket address when the peer is not one of the trusted ranges', () => {
    expect(clientAddress(inner, '203.0.113.9', '198.51.100.4')).toBe('203.0.113.9')
    expect(clientAddress(inner, '::ffff:10.0.0.1', '198.51.100.4')).toBe('198.51.100.4')
    expect(clientAddress(inner, undefined, '198.51.100.4')).toBe('unknown')
  })

  test('cannot be chosen by a client', () => {
    const claim = fc.oneof(
      fc.string({ maxLength: 300 }),
      fc.ipV4(),
      fc.ipV6(),
      fc.constant('10.0.0.3, 10.0.0.4'),
    )
    fc.assert(
      fc.property(claim, fc.constantFrom(oneHop, inner), (written, trust) => {
        expect(clientAddress(trust, '10.0.0.1', `${written}, 198.51.100.4`)).toBe('198.51.100.4')
        expect(clientAddress(nobody, '198.51.100.4', written)).toBe('198.51.100.4')
      }),
    )
  })

  test('is found without an error and in bounded time in any header', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 2000 }),
        fc.constantFrom(oneHop, twoHops, inner),
        (header, trust) => {
          expect(clientAddress(trust, '10.0.0.1', header)).toMatch(/^[\da-f.:]+$/)
        },
      ),
    )
    expect(clientAddress(inner, '10.0.0.1', '10.0.0.1,'.repeat(100_000))).toBe('10.0.0.1')
  })
})

describe('the address for rate limits', () => {
  test('of IPv4 is unchanged', () => {
    expect(bucketAddress('198.51.100.4')).toBe('198.51.100.4')
    expect(bucketAddress('::ffff:198.51.100.4')).toBe('198.51.100.4')
    expect(bucketAddress('unknown')).toBe('unknown')
  })

  test('is the same for a thousand addresses of one /64, and another in the next', () => {
    const counted = new Set<string>()
    for (let i = 0; i < 1000; i++)
      counted.add(bucketAddress(`2001:db8:1:2:${(i * 7919).toString(16).slice(-4)}::${i.toString(16)}`))
    expect([...counted]).toEqual(['2001:db8:1:2::'])
    expect(bucketAddress('2001:db8:1:3::1')).toBe('2001:db8:1:3::')
  })

  test('maps to itself', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV6(), fc.ipV4()), (ip) => {
        expect(bucketAddress(bucketAddress(ip))).toBe(bucketAddress(ip))
      }),
    )
  })

  test('is the same for every invalid address', () => {
    expect(bucketAddress('a:b')).toBe('unknown')
    expect(bucketAddress(':'.repeat(5000))).toBe('unknown')
  })
})

describe('an allowlist', () => {
  const ranges = parseRanges('196.201.214.0/24, 52.31.139.75,2001:db8::/32')

  test.for([
    { ip: '196.201.214.206', is: true },
    { ip: '::ffff:196.201.214.206', is: true },
    { ip: '196.201.215.1', is: false },
    { ip: '52.31.139.75', is: true },
    { ip: '52.31.139.76', is: false },
    { ip: '2001:db8:ffff::1', is: true },
    { ip: '2001:db9::1', is: false },
    { ip: 'unknown', is: false },
    { ip: '', is: false },
  ])('returns $is for $ip, also the second time', ({ ip, is }) => {
    expect(inRanges(ip, ranges)).toBe(is)
    expect(inRanges(ip, ranges)).toBe(is)
  })

  test('may contain every address', () => {
    expect(inRanges('8.8.8.8', parseRanges('0.0.0.0/0'))).toBe(true)
    expect(inRanges('2001:db8::1', parseRanges('0.0.0.0/0'))).toBe(false)
  })

  test.for(['', 'localhost', '10.0.0.0/8,,', '1'])('cannot be %j', (text) => {
    expect(() => parseRanges(text)).toThrow('is neither an IP address nor a CIDR')
  })
})
