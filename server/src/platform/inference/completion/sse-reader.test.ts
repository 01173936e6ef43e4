// Events in any notation and with any packet boundary.
import { isUtf8 } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { UpstreamFailed } from '../model-request.ts'
import { SseReader } from './sse-reader.ts'

const readAll = (chunks: readonly (string | Buffer)[]): string[] => {
  const reader = new SseReader()
  return [...chunks.flatMap((chunk) => reader.push(Buffer.from(chunk))), ...reader.end()]
}

describe('events', () => {
  test.for<[string, string, string[]]>([
    ['in the usual notation', 'data: a\n\ndata: b\n\n', ['a', 'b']],
    ['with CRLF line ends', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
    ['with carriage returns as line ends', 'data: a\r\rdata: b\r\r', ['a', 'b']],
    ['with mixed line ends', 'data: a\r\n\ndata: b\n\r\ndata: c\r\r\n', ['a', 'b', 'c']],
    ['after a byte order mark', '\uFEFFdata: a\n\n', ['a']],
    ['without a space after the colon', 'data:a\n\ndata:{"b":1}\n\n', ['a', '{"b":1}']],
    ['with two spaces, of which one is removed', 'data:  a\n\n', [' a']],
    ['of several lines', 'data: a\ndata: b\ndata\n\n', ['a\nb\n']],
    ['without the last empty line', 'data: a\n\ndata: b\n', ['a', 'b']],
    ['without the last line end', 'data: a\n\ndata: b', ['a', 'b']],
    ['between comments', ': hello\n\ndata: a\n: in the middle\n\n:\n\n', ['a']],
    ['with names, ids and unknown fields', 'event: x\nid: 1\nretry: 5\nfoo: bar\ndata: a\n\n', ['a']],
    ['that are empty', '\n\n\ndata:\n\n\n\n', ['']],
    ['with a field name that starts with data', 'database: x\ndata: a\n\n', ['a']],
    ['with Latin-1 characters', 'data: a\xff\n\n', ['a\xff']],
    ['none at all', '', []],
  ])('%s are parsed', ([, text, events]) => {
    expect(readAll([text])).toEqual(events)
  })

  test('are the same for every packet boundary, also inside a character or a line end', () => {
    const text =
      '\uFEFF: hi\r\ndata: Grüße 👋\r\n\r\ndata: two\rdata: lines\r\rdata:漢字\n\nevent: x\ndata: end'
    const bytes = Buffer.from(text)
    const whole = readAll([bytes])
    expect(whole).toEqual(['Grüße 👋', 'two\nlines', '漢字', 'end'])
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(bytes.length), { maxLength: 12 }), (places) => {
        const cuts = [0, ...places.sort((a, b) => a - b), bytes.length]
        const chunks = cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end))
        expect(readAll(chunks)).toEqual(whole)
      }),
      { numRuns: 300 },
    )
  })

  test('of any UTF-8 text are parsed, and other bytes fail', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 80 }), { maxLength: 10 }), (chunks) => {
        const buffers = chunks.map((chunk) => Buffer.from(chunk))
        if (isUtf8(Buffer.concat(buffers))) expect(Array.isArray(readAll(buffers))).toBe(true)
        else expect(() => readAll(buffers)).toThrow(UpstreamFailed)
      }),
      { numRuns: 200 },
    )
  })
})

describe('an endless event', () => {
  test.for<[string, string]>([
    ['one line', 'x'.repeat(64 * 1024)],
    ['many lines', `data: ${'x'.repeat(64 * 1024)}\n`],
  ])('is rejected after 1 MiB: %s', ([, part]) => {
    const reader = new SseReader()
    const push = () => {
      for (let count = 0; count < 17; count++) reader.push(Buffer.from(part))
    }
    expect(push).toThrow('over 1 MiB')
  })

  test('is not confused with many events', () => {
    const reader = new SseReader()
    let events = 0
    for (let count = 0; count < 100; count++)
      events += reader.push(Buffer.from(`data: ${'x'.repeat(60_000)}\n\n`)).length
    expect(events).toBe(100)
  })
})
