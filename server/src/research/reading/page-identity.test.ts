import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computeFingerprint } from './fingerprint.ts'
import { parseDay } from './html/page-metadata.ts'
import { detectLanguage } from './language.ts'
import { canonicalUrl, isNearDuplicate } from './read-page.ts'

test('URLs of one page have one canonical form', () => {
  const same = [
    'https://example.com/news/a-story?b=2&id=7',
    'http://www.Example.com:80/news/a-story/?id=7&b=2#comments',
    'https://m.example.com/news/a-story?id=7&utm_source=x&b=2&fbclid=1&gclid=2',
    'https://example.com//news/a%2Dstory/amp/?id=7&b=2',
    'https://www.google.com/amp/s/www.example.com/news/a-story?id=7&b=2',
    'https://example-com.cdn.ampproject.org/c/s/example.com/news/a-story.amp.html?id=7&b=2',
  ]
  expect(new Set(same.map(canonicalUrl))).toEqual(new Set([same[0]]))
  expect(canonicalUrl('https://en.m.wikipedia.org/wiki/Cowrie')).toBe('https://en.wikipedia.org/wiki/Cowrie')
  expect(canonicalUrl('https://example.com/')).toBe('https://example.com')
})

test('URLs of different pages have different canonical forms', () => {
  const different = [
    'https://example.com/a',
    'https://example.com/A',
    'https://example.com/a?page=2',
    'https://example.com:8443/a',
    'https://blog.example.com/a',
    'https://m.co/a',
    'https://example.com/a%2Fb',
    'https://example.com/a/b',
    'https://example.com/camp',
    'mailto:someone@example.com',
    'not an address',
  ]
  expect(new Set(different.map(canonicalUrl)).size).toBe(different.length)
})

test('the canonical form is stable', () => {
  const host = fc.constantFrom(
    'example.com',
    'www.m.Example.com.',
    'm.amp.a.b.c',
    'www.google.com',
    'x.cdn.ampproject.org',
  )
  const part = fc.constantFrom(
    '/',
    '/amp',
    '.amp',
    '.html',
    '/c/s',
    'a',
    '%41',
    '%2f',
    '%',
    '?',
    '&',
    '=',
    'utm_x',
    '#',
    'é',
    '.',
  )
  const address = fc.tuple(host, fc.array(part)).map(([name, parts]) => `http://${name}/${parts.join('')}`)
  fc.assert(
    fc.property(fc.oneof(address, fc.string()), (url) => {
      expect(canonicalUrl(canonicalUrl(url))).toBe(canonicalUrl(url))
    }),
    { numRuns: 300 },
  )
})

const prose = (seed: number, words: number) =>
  Array.from({ length: words }, (_, i) => `w${(Math.imul(i + 1, seed) >>> 7) % 900}`)

test('a text with a few changed words is a near duplicate, and another text is not', () => {
  const words = prose(2_654_435_761, 1_200)
  const fingerprint = computeFingerprint(words.join(' '))
  const changed = words.with(300, 'other').with(900, 'words')
  expect(
    isNearDuplicate(fingerprint, computeFingerprint(`Copied: ${changed.join('\n').toUpperCase()}`)),
  ).toBe(true)
  expect(isNearDuplicate(fingerprint, computeFingerprint(prose(40_503, 1_200).join(' ')))).toBe(false)
  expect(isNearDuplicate(fingerprint, computeFingerprint(words.slice(0, 600).join(' ')))).toBe(false)
  expect(isNearDuplicate('0000000000000000', '0000000000000007')).toBe(true)
  expect(isNearDuplicate('0000000000000000', '800000000000000e')).toBe(false)
})

test('the language is the declared one, otherwise the one of its common words', () => {
  const texts = {
    en: 'The price of the bread is set by the council and it is the same in all of the shops',
    fr: 'Le prix du pain est fixé par le conseil et il est le même dans toutes les boutiques',
    pt: 'O preço do pão não é o mesmo em todas as lojas, mas para os clientes da cidade são iguais',
    sw: 'Bei ya mkate ni ile ile katika maduka ya mji na watu wa kijiji wanalipa kama hiyo pia',
    ar: 'سعر الخبز يحدده المجلس وهو نفسه في جميع المحلات في المدينة والقرية',
  }
  for (const [language, text] of Object.entries(texts)) expect(detectLanguage(text, null)).toBe(language)
  expect(detectLanguage(texts.en, 'pt-BR')).toBe('pt')
  expect(detectLanguage('12 + 30 = 42', '???')).toBeNull()
})

test('only existing days are accepted', () => {
  expect(parseDay('2026-02-28T23:59:00Z')).toBe('2026-02-28')
  expect(parseDay(' 2026/03/01')).toBe('2026-03-01')
  expect(parseDay('20260301')).toBe('2026-03-01')
  for (const none of [
    '2026-02-30',
    '2026-13-01',
    '0001-01-01',
    'yesterday',
    '2026',
    '12026-01-01',
    '2026-0301',
  ])
    expect(parseDay(none)).toBeNull()
})
