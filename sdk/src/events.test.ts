import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EventParser, FRAME_MAX_CHARACTERS } from './events.ts'

const framesOf = (...chunks: string[]): string[] => {
  const parser = new EventParser()
  return chunks.flatMap((chunk) => parser.push(chunk))
}

describe('frames', () => {
  test.for([
    { it: 'end at a blank line', text: 'data: {"a":1}\n\ndata: {"b":2}\n\n', frames: ['{"a":1}', '{"b":2}'] },
    { it: 'may have CRLF line ends', text: 'data: 1\r\n\r\ndata: 2\r\n\r\n', frames: ['1', '2'] },
    { it: 'may have CR line ends', text: 'data: 1\r\rdata: 2\r\r', frames: ['1', '2'] },
    {
      it: 'may be surrounded by comments',
      text: ': keep-alive\n\ndata: 1\n\n: keep-alive\n\n',
      frames: ['1'],
    },
    { it: 'may have several data lines', text: 'data: 1\ndata: 2\n\n', frames: ['1\n2'] },
    {
      it: 'need no space after the colon, and lose only one',
      text: 'data:1\n\ndata:  2\n\n',
      frames: ['1', ' 2'],
    },
    {
      it: 'may have other fields, which are ignored',
      text: 'event: x\nid: 7\nretry: 5\ndata: 1\ndatabase: 2\n\n',
      frames: ['1'],
    },
    { it: 'without data are skipped', text: 'event: ping\n\n\n\n', frames: [] },
  ])('$it', ({ text, frames }) => {
    expect(framesOf(text)).toEqual(frames)
  })

  test('are the same wherever the text is split', () => {
    const line = fc.constantFrom('data: {"delta":"x"}', 'data: two', ': keep-alive', 'event: y', '')
    const ending = fc.constantFrom('\n', '\r\n', '\r')
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 20 }),
        ending,
        fc.array(fc.nat(200), { maxLength: 12 }),
        (lines, end, cuts) => {
          const text = lines.map((content) => content + end).join('')
          const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length]
          const chunks = places.slice(1).map((place, index) => text.slice(places[index], place))
          expect(framesOf(...chunks)).toEqual(framesOf(text))
        },
      ),
    )
  })

  test('that never end are refused at the size limit', () => {
    const parser = new EventParser()
    const chunk = 'x'.repeat(FRAME_MAX_CHARACTERS / 4)
    parser.push(`data: ${chunk}`)
    expect(() => {
      for (let i = 0; i < 4; i++) parser.push(chunk)
    }).toThrow(expect.objectContaining({ code: 'reply_too_large' }))
  })
})

test.for([
  { text: 'data: 1\n\n', unfinished: false },
  { text: 'data: 1\n\n: keep-al', unfinished: false },
  { text: 'data: 1\n', unfinished: true },
  { text: 'data: {"a', unfinished: true },
])('after $text, isUnfinished is $unfinished', ({ text, unfinished }) => {
  const parser = new EventParser()
  parser.push(text)
  expect(parser.unfinished).toBe(unfinished)
})
