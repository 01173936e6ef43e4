// Report files: every citation leads to a source, every quote to its page, and foreign text is never active.

import { rounds } from '@cowrie/testkit/harness/soak.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ReportSource, ResearchFinding, ResearchPlan } from '../types.ts'
import type { ReportContent } from './report-document.ts'
import { composeReport } from './report-files.ts'
import { verifyDraft } from './verify-draft.ts'

const plan: ResearchPlan = {
  subquestions: ['When was M-Pesa launched?', 'How many users has it?', 'What do agents earn?'].map(
    (question) => ({
      question,
      queries: [],
    }),
  ),
}
const source = (n: number, more: Partial<ReportSource> = {}): ReportSource => ({
  n,
  url: `https://site${n}.example/page`,
  title: `Page ${n}`,
  status: 'read',
  reason: null,
  sha256: 'ab'.repeat(32),
  fetchedAt: new Date('2026-03-04T05:06:07Z'),
  ...more,
})
const sources = [
  source(1),
  source(2, { status: 'failed', reason: 'http_403', sha256: null, fetchedAt: null }),
  source(4, { title: 'A *bold* <b>title</b> [x](javascript:alert(1))' }),
  source(5),
  source(6, { status: 'skipped', reason: 'duplicate_of_4', sha256: null, fetchedAt: null }),
]
const findings: ResearchFinding[] = [
  {
    id: 'F1',
    sub: 0,
    claim: 'M-Pesa was launched in 2007.',
    quote: 'It was launched in 2007 by\nSafaricom',
    kind: 'fact',
    sources: [4, 1],
  },
  {
    id: 'F2',
    sub: 1,
    claim: 'M-Pesa had 30 million users in 2023.',
    quote: 'had 30 million users in 2023',
    kind: 'number',
    sources: [1],
  },
  {
    id: 'F3',
    sub: 1,
    claim: 'M-Pesa had 34 million users in 2023.',
    quote: 'some 34 million users in 2023',
    kind: 'number',
    sources: [4],
  },
]
const base: ReportContent = {
  question: 'How did M-Pesa grow?',
  askedOn: '2026-03-04',
  depth: 'standard',
  plan,
  verified: null,
  findings,
  sources,
  stopReason: 'completed',
}
const filesOf = (report: Partial<ReportContent>) => {
  const [markdown, page, list] = composeReport({ ...base, ...report })
  return { markdown: markdown?.text ?? '', page: page?.text ?? '', list: list?.text ?? '' }
}
const sectionsOf = (markdown: string) => Array.from(markdown.matchAll(/^## (.*)$/gm), ([, title]) => title)

describe('a written report', () => {
  const verified = verifyDraft(
    '## Short answer\nM-Pesa was launched in 2007 [F1]. It is loved by all.',
    findings,
    plan,
  )
  const { markdown, page, list } = filesOf({ verified, stopReason: 'budget' })

  test('has cited text, then further findings, conflicts, open points, references, evidence and other sources', () => {
    expect(markdown).toContain('M-Pesa was launched in 2007 [4][1].')
    expect(markdown).not.toContain('loved')
    expect(sectionsOf(markdown)).toEqual([
      'Short answer',
      'How many users has it?',
      'Points on which the sources disagree',
      'Not established',
      'References',
      'Evidence',
      'Read but not cited',
      'Could not be read',
      'Found but not read',
    ])
  })

  test('says when it was written, why it stopped and what was left out', () => {
    expect(markdown).toContain('on 2026-03-04 after a standard investigation')
    expect(markdown).toContain('Pages: 3 read, 2 of them cited; 1 could not be read; 1 skipped.')
    expect(markdown).toContain('reached its budget')
    expect(markdown).toContain('because their citations do not support them: 1.')
    expect(list).toContain('It is loved by all.')
  })

  test('lists sources with numbers, URLs and reasons', () => {
    expect(markdown).toContain(
      '- **[1]** Page 1 <https://site1.example/page> (site1.example, read on 2026-03-04)',
    )
    expect(markdown).toContain(
      '- 2. Page 2 <https://site2.example/page> (site2.example; the site answered with status 403)',
    )
    expect(markdown).toContain('has the same text as source 4')
    expect(markdown).toContain('> It was launched in 2007 by\n> Safaricom')
  })

  test('is a self-contained page without scripts', () => {
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`)
    expect(page).toContain('<a class="cite" id="cite-4-1" href="#source-4">[4]</a>')
    expect(page).toContain('id="source-4"')
    expect(page).toContain('href="#cite-4-1"')
    expect(page).toContain('<blockquote dir="auto">It was launched in 2007 by\nSafaricom</blockquote>')
    expect(page).toContain('rel="noopener noreferrer nofollow"')
  })

  test('lists its sources as JSON, with quotes', () => {
    expect(JSON.parse(list)).toMatchObject({
      stopReason: 'budget',
      sources: [
        { n: 1, quotes: [{ finding: 'F1', isCited: true }, { finding: 'F2' }] },
        { n: 2, reason: 'http_403' },
        {},
        {},
        {},
      ],
      droppedClaims: [{ reason: 'no_citation' }],
    })
  })
})

test('an Arabic page has its direction, and codes in it are read from left to right', () => {
  const { page } = filesOf({ question: 'كيف تتصل بالرقم *170# الآن؟' })
  expect(page).toContain('<html lang="ar" dir="rtl">')
  expect(page).toContain('<h1 dir="auto">كيف تتصل بالرقم <bdi dir="ltr">*170#</bdi> الآن؟</h1>')
})

test('without a draft the findings are listed by subquestion', () => {
  const { markdown } = filesOf({})
  expect(sectionsOf(markdown).slice(0, 2)).toEqual(['When was M-Pesa launched?', 'How many users has it?'])
  expect(markdown).toContain('- M-Pesa was launched in 2007 [4][1].')
})

test('a draft without supported sentences counts as none', () => {
  const verified = verifyDraft('## Short answer\nCoffee is good.', findings, plan)
  expect(sectionsOf(filesOf({ verified }).markdown)[0]).toBe('When was M-Pesa launched?')
})

test('without findings the report states it and lists the sources', () => {
  const { markdown } = filesOf({ findings: [] })
  expect(markdown).toContain('Nothing could be verified')
  expect(sectionsOf(markdown)).toEqual([
    'Answer',
    'Not established',
    'Read but not cited',
    'Could not be read',
    'Found but not read',
  ])
})

test('a URL with credentials, which can imitate a host, is text and not a link', () => {
  const url = 'https://bank.example@evil.example/login'
  const { markdown, page } = filesOf({
    sources: [...sources, source(7, { url }), source(8, { url: url.replace('@', ':443@'), title: '' })],
  })
  expect(markdown).toContain('Page 7 (`https://bank.example@evil.example/login`)')
  expect(page).toContain('(https://bank.example@evil.example/login)')
  expect(page).toContain('(https://bank.example:443@evil.example/login)')
  expectSafePage(page)
  expectSafeMarkdown(markdown)
})

test('the same report gives the same bytes', () => {
  expect(composeReport(base)).toEqual(composeReport(structuredClone(base)))
})

const nasty = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '<script>alert(1)</script>',
        '![i](https://evil.example/i.png)',
        '[l](javascript:alert(1))',
        'https://evil.example/x',
        'www.evil.example',
        '<img src=x onerror=alert(1)>',
        '[1]',
        '[99]',
        '[F1]',
        '[F1]: https://evil.example',
        '"><a href="https://evil.example">',
        '`',
        '|',
        '\n',
        '\n\n# ',
        '- ',
        '&lt;script&gt;',
        '\\',
        '***',
        'M-Pesa was launched in 2007 [F1]. ',
        '\u202e',
        '-->',
      ),
      fc.string({ maxLength: 8 }),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(''))

test('for any input citations resolve and nothing is active', () => {
  fc.assert(
    fc.property(nasty, nasty, nasty, nasty, nasty, (draft, title, quote, claim, question) => {
      const strange = [
        ...findings,
        { id: 'F4', sub: 2, claim, quote: `q ${quote} q`, kind: 'fact', sources: [5, 77] } as const,
      ]
      const verified = verifyDraft(`M-Pesa was launched in 2007 [F1].\n\n${draft}`, strange, plan)
      const { markdown, page } = filesOf({
        question,
        verified,
        findings: strange,
        sources: [
          ...sources,
          source(7, { title, url: `https://bank.example@evil.example/?${title}` }),
          source(8, { title, url: 'javascript:alert(1)' }),
          source(9, { title }),
        ],
      })
      expectSafePage(page)
      expectSafeMarkdown(markdown)
      expect(unescaped(markdown)).toContain(
        `q ${quote} q`
          .split('\n')
          .map((line) => `> ${line}`.trimEnd())
          .join('\n'),
      )
    }),
    { numRuns: rounds(40, 120) },
  )
})

const OURS = /^https:\/\/site\d\.example\/page$/

function expectSafePage(page: string): void {
  const tags = Array.from(page.matchAll(/<[a-z!/][^>]*>/gi), ([tag]) => tag)
  const names = new Set(tags.map((tag) => /^<[!/]?([a-z0-9]+)/i.exec(tag)?.[1]?.toLowerCase()))
  expect(
    [...names].filter((name) => /^(?:script|img|iframe|svg|object|form|link|base)$/.test(name ?? '')),
  ).toEqual([])
  expect(tags.filter((tag) => /\son\w+=|\ssrc=/i.test(tag))).toEqual([])
  const targets = tags.flatMap((tag) => /href="([^"]*)"/.exec(tag)?.[1] ?? [])
  for (const target of targets) {
    if (target.startsWith('#')) expect(page).toContain(`id="${target.slice(1)}"`)
    else expect(target).toMatch(OURS)
  }
}

// Escapes, code and HTML entities.
const INERT = /\\([!-/:-@[-`{-~])|`([^`\n]+)`|&(lt|gt|amp);/g

function expectSafeMarkdown(markdown: string): void {
  // An escaped sign separates the text around it.
  const active = markdown.replace(INERT, '·')
  const links = Array.from(active.matchAll(/<([^<>]*)>/g), ([, target]) => target ?? '')
  for (const link of links) expect(link).toMatch(OURS)
  const rest = active.replace(/<[^<>]*>/g, '')
  expect(rest).not.toMatch(/<|:\/\/|\bwww\.|\]\(|!\[|^\[[^\]]*\]:/m)
  for (const [, n] of rest.matchAll(/\[(\d+)\]/g)) expect(markdown).toContain(`- **[${n}]** `)
}

const SIGNS: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&' }
const unescaped = (markdown: string): string =>
  markdown.replace(
    INERT,
    (_, escaped?: string, code?: string, sign?: string) => escaped ?? code ?? SIGNS[sign ?? ''] ?? '',
  )
