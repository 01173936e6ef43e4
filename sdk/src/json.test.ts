import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromJson, InexactMoney, toJson } from './json.ts'

const INT64_MAX = 2n ** 63n - 1n
const INT64_MIN = -(2n ** 63n)

describe('money', () => {
  test.for([INT64_MAX, INT64_MIN, 2n ** 53n + 1n, 0n, -1n])('%s survives a round trip', (amountMinor) => {
    const text = toJson({ amountMinor })
    expect(text).toBe(`{"amountMinor":${amountMinor}}`)
    expect(fromJson(text)).toEqual({ amountMinor })
  })

  test('of any amount and nesting survives a round trip', () => {
    const shape = fc.array(
      fc.record({
        aMinor: fc.bigInt(INT64_MIN, INT64_MAX),
        text: fc.string(),
        deep: fc.record({ bMinor: fc.bigInt(INT64_MIN, INT64_MAX) }),
      }),
    )
    fc.assert(
      fc.property(shape, fc.nat(4), (value, indent) => {
        expect(fromJson(toJson(value, indent))).toEqual(value)
      }),
    )
  })

  test('is parsed with any whitespace, and null stays null', () => {
    expect(fromJson('{ "aMinor" :\n 12 , "bMinor":null,"cMinor" :-9007199254740993}')).toEqual({
      aMinor: 12n,
      bMinor: null,
      cMinor: -9007199254740993n,
    })
  })

  test('only in fields named …Minor becomes a bigint', () => {
    expect(fromJson('{"minorUnit":100,"aMinor":1,"list":[1,2],"bMinorName":5}')).toEqual({
      minorUnit: 100,
      aMinor: 1n,
      list: [1, 2],
      bMinorName: 5,
    })
  })

  test('in text stays text', () => {
    const value = {
      note: 'say "amountMinor": 5 and \\"xMinor\\":6',
      aMinor: '#12',
      bMinor: "'quoted",
      cMinor: 'Minor":7',
      Minor: 'Minor',
    }
    expect(fromJson(JSON.stringify(value))).toEqual(value)
  })

  test.for(['1.5', '1e3', '1E3', '99999999999999999999'])(
    'written as %s is refused by the parser',
    (number) => {
      expect(() => fromJson(`{"amountMinor":${number}}`)).toThrow(InexactMoney)
    },
  )

  test.for([1.5, 2 ** 53, Number.NaN])(
    'given as the number %s is refused by the serializer',
    (amountMinor) => {
      expect(() => toJson({ amountMinor })).toThrow(TypeError)
    },
  )
})

describe('a reply', () => {
  const text =
    '{"balanceMinor":9007199254740991,"wallet":{"heldMinor":5,"ref":"a"},"entries":[{"amountMinor":-7}]}'

  test('can be printed by JSON.stringify, as a whole and in parts', () => {
    const reply = fromJson(text) as { wallet: object; entries: object[] }
    expect(JSON.stringify(reply)).toBe(text)
    expect(JSON.stringify([reply.wallet, reply.entries[0]])).toBe(
      '[{"heldMinor":5,"ref":"a"},{"amountMinor":-7}]',
    )
    expect(toJson(reply)).toBe(text)
  })

  test.for([INT64_MAX, 2n ** 63n - 1025n, -(2n ** 53n) - 1n])(
    'whose amount %s would lose digits is refused with a hint',
    (amountMinor) => {
      const reply = fromJson(toJson({ amountMinor }))
      expect(() => JSON.stringify(reply)).toThrow('amountMinor is too large for JSON.stringify. Use toJson.')
      expect(toJson(reply)).toBe(`{"amountMinor":${amountMinor}}`)
    },
  )

  test('has only the fields that the service sent', () => {
    const reply = fromJson(text) as Record<string, unknown>
    expect(Object.keys(reply)).toEqual(['balanceMinor', 'wallet', 'entries'])
    expect({ ...reply }).not.toHaveProperty('toJSON')
  })
})

test('without bigints, values print and parse like JSON.stringify and JSON.parse', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
      const text = toJson(value, indent)
      expect(text).toBe(JSON.stringify(value, null, indent))
      expect(fromJson(text)).toEqual(JSON.parse(text))
    }),
  )
})

test('values that JSON cannot express are omitted in objects and null in lists', () => {
  const value = {
    at: new Date(0),
    none: undefined,
    call: () => 1,
    list: [undefined, Number.POSITIVE_INFINITY],
  }
  expect(toJson(value)).toBe(JSON.stringify(value))
})

test('invalid JSON is a SyntaxError, with or without amounts', () => {
  expect(() => fromJson('{"amountMinor":5')).toThrow(SyntaxError)
  expect(() => fromJson('{"amountMinor":5x}')).toThrow()
  expect(() => fromJson('<html>')).toThrow(SyntaxError)
})
