import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { measureCost } from '@cowrie/testkit/harness/cpu-time.ts'
import { describe, expect, test } from 'vitest'
import { ERRORS, type ErrorCode } from '../../kernel/errors.ts'
import { money } from '../../kernel/money.ts'
import { AR } from './errors/ar.ts'
import { errorSentence } from './errors/errors.ts'
import { FR } from './errors/fr.ts'
import { SW } from './errors/sw.ts'
import { LANGUAGE_CODES, type Language } from './language.ts'
import { formatMoney, say, TRANSLATED, translate, WRITTEN, withSeparators } from './texts.ts'

const OTHERS = LANGUAGE_CODES.filter((language) => language !== 'en')
const ALL = [...Object.entries(WRITTEN), ...Object.entries(TRANSLATED)]
const namesIn = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort()

describe('the catalogue', () => {
  test('every sentence has each language, with the same placeholders', () => {
    const faults = ALL.flatMap(([english, translations]) =>
      OTHERS.filter((_, i) => {
        const text = translations[i] ?? ''
        return text.trim() === '' || namesIn(text).join() !== namesIn(english).join()
      }).map((language) => `${language}: ${english}`),
    )
    expect(faults).toEqual([])
  })

  test('a sentence that ends with a full stop does so in each language', () => {
    const ends = (text: string) => /[^.][.؟!]$/.test(text)
    const faults = ALL.filter(([english, all]) => all.some((text) => ends(text) !== ends(english)))
    expect(faults.map(([english]) => english)).toEqual([])
  })

  test('every error code has a sentence in each language', () => {
    for (const words of [FR, SW, AR]) expect(Object.keys(words).sort()).toEqual(Object.keys(ERRORS).sort())
    for (const code of Object.keys(ERRORS) as ErrorCode[])
      for (const language of OTHERS)
        expect(errorSentence(language, { code, message: ERRORS[code].message } as never)).not.toBe('')
  })

  test('a sentence is in one catalogue only', () => {
    const seen = ALL.map(([english]) => english)
    expect(seen.filter((english, i) => seen.indexOf(english) !== i)).toEqual([])
    const source = readFileSync(new URL('texts.ts', import.meta.url), 'utf8')
    expect(source.match(/^ {2}\.\.\.[A-Z_]+,$/gm)?.length).toBe(12)
  })
})

describe('translate', () => {
  test('fills in the values of a sentence, in the order of the language', () => {
    const english = 'Enter your M-Pesa PIN on the phone ending in 345 to pay KSh1,250.00.'
    expect(translate('fr', english)).toBe(
      'Saisissez votre code M-Pesa sur le téléphone qui finit par 345 pour payer KSh1\u202f250,00.',
    )
    expect(translate('sw', english)).toContain('KSh1,250.00')
    expect(translate('ar', english)).toContain('\u2068KSh1,250.00\u2069')
    expect(translate('en', english)).toBe(english)
  })

  test('the most specific sentence wins', () => {
    expect(translate('fr', 'must be at most 500, the budget of the key above')).toBe(
      'doit être au plus 500, le budget de la clé parente',
    )
    expect(translate('fr', 'must be at most 500')).toBe('doit être au plus 500')
    expect(translate('fr', 'must be at most five')).toBeNull()
  })

  test('translates sentences, lists and dates inside a sentence', () => {
    expect(translate('fr', '₦1,000.00 (test money) was paid. Your Pro plan has started.')).toBe(
      '₦1\u202f000,00 (argent fictif) a été payé. Votre forfait Pro a commencé.',
    )
    const lines = 'Team by the month, 2026-11-01 to 2026-12-01; Seats beyond the 3 of Team, until 2026-12-01'
    const mail = `Your plan renews on that day, and ₦5,000.00 is charged to your card: ${lines}.`
    expect(translate('fr', mail)).toMatch(/: Team au mois, du .*; Places au-delà des 3 de Team/)
    const fawry =
      'Pay E£10.00 at any Fawry outlet or in the myFawry app with reference number 987 by 14:05 on 20 November 2026 (Cairo time).'
    expect(translate('fr', fawry)).toContain('le 20 novembre 2026')
    expect(translate('ar', fawry)).toContain('20 نوفمبر 2026')
  })

  test.for([
    ['must be a phone number such as +254 and the number', 'and the number'],
    ['must be from 5000 (₦50.00) to 100000 (₦1,000.00) with Card', 'Card'],
    [
      'This API key is limited to 3 requests per minute. Wait for the time in Retry-After, or raise the limit.',
      'requests',
    ],
  ] as const)('translates all of %s', ([english, part]) => {
    for (const language of OTHERS) expect(translate(language, english)).not.toContain(part)
  })

  test('leaves texts of others alone, in linear time', () => {
    expect(translate('fr', 'Dial *901# now, please')).toBeNull()
    expect(translate('fr', '__proto__')).toBeNull()
    expect(translate('fr', 'constructor')).toBeNull()
    const translateHostile = () => {
      expect(translate('fr', `${'Your wallet has '.repeat(10_000)}x`)).toBeNull()
      expect(translate('fr', ` in ${'revoked your API key '.repeat(90)}`)).toBeNull()
    }
    expect(measureCost(translateHostile)).toBeLessThan(200)
  })

  test('an address in right-to-left text stays a clean link', () => {
    const url = 'https://cowrie.example/invoices/1/receipt'
    expect(translate('ar', `Receipt CW-7: ${url}`)).toBe(`الإيصال \u2068CW-7\u2069: ${url}`)
  })
})

test.for<[Language, string]>([
  ['en', '₦1,234,567.89'],
  ['fr', '₦1\u202f234\u202f567,89'],
  ['sw', '₦1,234,567.89'],
  ['ar', '₦1,234,567.89'],
])('money in %s has the separators of the language and Latin digits', ([language, text]) => {
  expect(formatMoney(language, money(123_456_789n, 'NGN'))).toBe(text)
  expect(say(language, 'Your payment of {amount} arrived', { amount: text })).toContain(text)
})

test('only marks between digits are separators', () => {
  expect(withSeparators('fr', '108.36')).toBe('108,36')
  expect(withSeparators('fr', 'v1. Then 2, and 3.')).toBe('v1. Then 2, and 3.')
})

describe('the source', () => {
  // For staff, machines and clients of other APIs, which read English.
  const ENGLISH_ONLY =
    /^(approvals|operators|models|flags|gateway|mcp|github|metrics|payments\/(rails|doctor|reconciliation|paybill|refunds|disputes)|review\/(webhook|publish|runs|verify)|research\/(steps|report)|agent\/(run|history)|platform\/(jobs|wires|inference|egress|http\/(access|openapi))|wallet\/holds|billing\/plans\/comps|kyc|payments\/settle|invoices\/einvoices|teams\/teams|scim\/directory)\b/
  const LITERAL = /'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/.source
  const WRITES = new RegExp(`\\b(?:error|message):\\s*(?:\\w+ === \\w+\\s*\\?\\s*)?(${LITERAL})`, 'g')

  const MAILS_TO_STAFF =
    /^(metering\/upstream-health|billing\/leads|operators\/staff|approvals\/approver-mail|payments\/settle\/staff-alerts|invoices\/einvoices\/submit)/
  const SRC = fileURLToPath(new URL('../../', import.meta.url))

  /** Sentences whose values are sentences too. Each is shown here as a caller gets it. */
  const COMPOSED: Readonly<Record<string, readonly string[]>> = {
    '{} Top up your wallet and try again.': [
      'Your wallet has ₦1.00 available; this costs ₦2.00. Top up your wallet and try again.',
    ],
    "{} has ${seats === 1 ? 'one seat' : ": [
      'Pro has one seat, and your organisation has 3 members. Remove members first.',
      'Pro has 2 seats, and your organisation has 3 members. Remove members first.',
    ],
    '{}. Wait for the time in Retry-After.': [
      'Too many changes or tests of webhook endpoints. Wait for the time in Retry-After.',
      'Too many events were sent manually. Wait for the time in Retry-After.',
    ],
    '{} does not take {}; {}.': [
      'M-Pesa does not take NGN; use one of: card, ussd.',
      'M-Pesa does not take NGN; no channel for it is configured here.',
    ],
    'must be from {} to {} with {}': ['must be from 5000 (₦50.00) to 100000 (₦1,000.00) with Card'],
    'must be a multiple of {} with {}': ['must be a multiple of 100 (KSh1.00) with M-Pesa'],
    '{} is limited to {} {} per minute. Wait for the time in Retry-After, or raise the limit.': [
      'This API key is limited to 5 requests per minute. Wait for the time in Retry-After, or raise the limit.',
      'The API key that created this one is limited to 5 tokens per minute. Wait for the time in Retry-After, or raise the limit.',
    ],
    '{} must be {}.': [
      'lane must be one of open, frontier.',
      'sign_ups must be true or false.',
      'top_up_max must be a whole number from 1 to 200 minor units.',
      'upstream_model must be at most 200 visible characters without surrounding spaces, or empty.',
    ],
    'must be {}': [
      'must be a whole number of minor units, written without fraction or exponent',
      'must be one of open, frontier',
    ],
    '{}{} {}. {}': [
      '₦5,000.00 (test money) was paid. You are now on the Team plan.',
      '₦5,000.00 was paid from your wallet. Your Team plan now has 5 seats.',
    ],
    // Names, not sentences.
    'The other plan': [],
    'Cowrie CLI': [],
    'must be at least {}, {}': [
      'must be at least 500, which is spent already',
      'must be at least 500, which is spent already or may be spent by the open turn',
    ],
  }

  const filesOfSource = (): string[] =>
    readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
    )
  const textOf = (literal = ''): string => literal.slice(1, -1).replaceAll(/\\(.)/g, '$1')
  /** Sentences without a translation, with `7` for each value. */
  const untranslated = (path: string, sentences: readonly string[]): string[] =>
    sentences
      .flatMap((english) => COMPOSED[english.replaceAll(/\$\{[^{}]*\}/g, '{}')] ?? [english])
      .filter((english) => translate('fr', english.replaceAll(/\$\{[^{}]*\}/g, '7')) === null)
      .map((english) => `${path}: ${english}`)

  test('every text of a mail to customers has translations', () => {
    const missing = filesOfSource().flatMap((path) => {
      const source = readFileSync(`${SRC}${path}`, 'utf8').replaceAll(/^\s*(\/\/|\*|\/\*\*).*$/gm, '')
      if (path.startsWith('platform/') || MAILS_TO_STAFF.test(path)) return []
      if (!/plainMail|sendSecurityMail|completeSecurityChange/.test(source)) return []
      const texts = [...source.matchAll(new RegExp(LITERAL, 'g'))].map(([literal]) => textOf(literal))
      const isSentence = (text: string) =>
        /^[A-Z$]/.test(text) &&
        /[a-z]+ [a-z]+/i.test(text.replaceAll(/\$\{[^{}]*\}/g, '')) &&
        !/[=#]/.test(text)
      return untranslated(path, texts.filter(isSentence))
    })
    expect(missing).toEqual([])
  })

  test.for([
    'The organisation has 12 members. Remove members until at most 5 are left.',
    'Work is still running. Stop it or wait until it ends, then try again.',
    'The wallet is empty. Omit `forfeitMinor`.',
    'The wallet has a balance of ₦5.00. Spend it, ask support for a refund, or forfeit it by sending `forfeitMinor`: 500.',
    'The pro plan has an unpaid renewal. Cancel it first; it then ends at once.',
    'The pro plan is paid until 2026-12-01. Either close the organisation after that day, or forfeit the rest of the plan by sending `forfeitPlan`: "pro".',
    'A payment is still pending. Complete it or wait until it expires.',
    'A refund is still in progress. Wait until the payment provider has paid it.',
    'must be at most amountMinor, 500 (₦5.00)',
    'This payment is still pending. Only settled payments can be refunded.',
    'top_up_max must be a whole number from 1 to 200 minor units.',
    'top_up_max must be a whole number from 1 to 200.',
    'The gzip encoding of the body is damaged; encode the body again, or send it without Content-Encoding.',
    'The body has the key "a" more than once in one object; send it once.',
    'Visa ending in 4081',
    'It gave no name.',
    'must be a text',
    'must be all',
    'must be public-key',
    'is too easy to guess; choose one that is longer or less common',
    'Your balance is low, and ₦5.00 was not added. The bank declined the card. The card has expired.',
  ])('translates %s', (english) => {
    for (const language of OTHERS) expect(translate(language, english)).not.toBeNull()
  })

  test('every error sentence and field problem for customers has translations', () => {
    const missing = filesOfSource()
      .filter((path) => !ENGLISH_ONLY.test(path))
      .flatMap((path) => {
        const texts = [...readFileSync(`${SRC}${path}`, 'utf8').matchAll(WRITES)].map(([, text]) =>
          textOf(text),
        )
        return untranslated(
          path,
          texts.filter((english) => /^[\w$]\S* \S/.test(english)),
        )
      })
    expect(missing).toEqual([])
  })
})
