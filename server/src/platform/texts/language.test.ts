import { expect, test } from 'vitest'
import { acceptedLanguage, acceptedTags, wantedLanguage } from './language.ts'

test.for([
  [undefined, 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['fr', 'fr'],
  ['FR-sn', 'fr'],
  ['de-DE, sw;q=0.3, ar;q=0.7', 'ar'],
  ['fr;q=0, sw', 'sw'],
  ['en-GB, fr', 'en'],
  ['fr;q=0.9, en;q=1.0', 'en'],
  ['de, pt', 'en'],
  ['fr; q=0.4 , sw; q=0.5', 'sw'],
  ['fr;q=much', 'fr'],
  ['fr;q=9.9.9, sw', 'sw'],
  ['__proto__, constructor', 'en'],
  [['ar', 'fr'], 'ar'],
] as const)('%s is answered in %s', ([header, language]) => {
  expect(acceptedLanguage(header)).toBe(language)
})

test('without one of our languages there is no choice', () => {
  expect([wantedLanguage('de'), wantedLanguage(undefined)]).toEqual([undefined, undefined])
})

test('a long header is read up to a bound', () => {
  expect(acceptedTags(`${'de,'.repeat(100_000)}fr`)).toHaveLength(20)
  expect(acceptedLanguage(`${'x'.repeat(600)},fr`)).toBe('en')
})
