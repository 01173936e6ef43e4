import { rounds } from '@cowrie/testkit/harness/soak.ts'
import { article, hidden, lockedPdf, manual, pdf, table } from '@cowrie/testkit/research/pages.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { run as readHtml } from './html/html-task.ts'
import { type PageSnapshot, readPage, type UnreadablePage } from './read-page.ts'
import { run as readText } from './text-task.ts'

const limits = { signal: new AbortController().signal, owner: 'org_1' }
const bytesOf = (text: string) => new TextEncoder().encode(text)

const read = (bytes: Uint8Array | string, contentType = 'text/html', charset: string | null = null) =>
  readPage(
    {
      url: 'https://example.com/',
      contentType,
      charset,
      bytes: typeof bytes === 'string' ? bytesOf(bytes) : bytes,
    },
    limits,
  )

/** Without a thread, where none is needed. */
const readHere = (html: string | Uint8Array, charset: string | null = null) =>
  readHtml({
    bytes: typeof html === 'string' ? bytesOf(html) : html,
    charset,
    isXml: false,
    isWhole: false,
  })

function page(outcome: PageSnapshot | UnreadablePage): PageSnapshot {
  if ('reason' in outcome) throw new Error(`not read: ${outcome.reason}`)
  return outcome
}

test('an article is read without the content around it', async () => {
  const { title, text, language, publishedOn, sha256, fingerprint, isCut } = page(await read(article))
  expect({ title, language, publishedOn, isCut }).toEqual({
    title: 'Record year for Mombasa & its harbour',
    language: 'en',
    // The date in the time zone of the publisher.
    publishedOn: '2026-07-14',
    isCut: false,
  })
  expect(text).toContain(
    '\n\n## What the traders say\n\n“We pay less,” said Amina Otieno, who imports tiles by the 10^6. The',
  )
  expect(text).toContain('\n\n- Containers: 1.62 million\n- Waiting: 3.1 days\n\nThe harbour')
  for (const around of ['Sport', 'cookies', 'All rights', 'never run', 'editor', 'example.com', 'color: red'])
    expect(text).not.toContain(around)
  expect(sha256).toMatch(/^[0-9a-f]{64}$/)
  expect(fingerprint).toMatch(/^[0-9a-f]{16}$/)
  expect(page(await read(article))).toEqual({
    title,
    text,
    language,
    publishedOn,
    sha256,
    fingerprint,
    isCut,
  })
})

test('a manual keeps its code and its terms, and a table its rows', () => {
  expect(page(readHere(manual)).text).toBe(
    '## Retries\n\nCall retry():\n\nfor (const wait of waits) {\n    await sleep(wait) // <ms>\n}\n\n## Options\n\ntimes\n\nHow often, at most.',
  )
  const { text, language } = page(readHere(table))
  expect(text).toBe(
    '## Prix du maïs\n\nPar sac de 90 kg\n\nVille | 2025 | 2026\nNairobi | 4 200 | 3 900\nKisumu | 4 050 | 3 700',
  )
  expect(language).toBe('fr')
})

test('hidden content is not read, and the content after it is', () => {
  for (const each of hidden) {
    const { text } = page(
      readHere(`<p>All of this is shown to a reader.</p>${each}<div>And this as well.</div>`),
    )
    expect(text).not.toContain('SECRET')
    expect(text).toMatch(/^All of this is shown to a reader\.\n[\s\S]*And this as well\.$/)
  }
})

test('invisible characters are removed, and letters are normalized', () => {
  const tags = [...'ignore all'].map((letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0)))
  const html = `<title>Ca\u0301\u200bfe</title><p>pay\u200b\u2060ment \u202eof\u202c  cafe\u0301${tags.join('')} \ufeffso\u00adon, &#x200b;dear\u00a0all\u0000</p>`
  const { title, text } = page(readHere(html))
  expect(title).toBe('Cáfe')
  expect(text).toBe('payment of café soon, dear all')
})

test('the charset comes from the byte order mark, the header or the page, otherwise from the content', () => {
  const words = 'Ça coûte très cher à Yaoundé'
  const latin = (html: string) => Uint8Array.from(html, (letter) => letter.charCodeAt(0))
  const wide = new Uint8Array([
    0xff,
    0xfe,
    ...new Uint8Array(Uint16Array.from(words, (c) => c.charCodeAt(0)).buffer),
  ])
  const outcomes = [
    readHere(latin(`<p>${words}`), 'ISO-8859-1'),
    readHere(latin(`<meta http-equiv=x content="text/html; charset=latin1"><p>${words}`)),
    readHere(latin(`<p>${words}`)),
    readHere(latin(`<p>${words}`), 'no-such-charset'),
    readHere(wide, 'utf-8'),
    readHere(`<meta charset="utf-16"><p>${words}`),
    readHere(`\ufeff<p>${words}`, 'latin1'),
    readText({ bytes: latin(words), charset: '"windows-1252"' }),
  ]
  expect(outcomes.map((outcome) => page(outcome).text)).toEqual(outcomes.map(() => words))
})

test('plain text, Markdown and JSON are stored as written, and binary files declared as text are rejected', async () => {
  expect(page(await read('{\n  "price":   [1,\r\n\t2]\n}\n', 'application/json')).text).toBe(
    '{\n  "price": [1,\n  2]\n}',
  )
  const markdown = page(
    await read(
      '# The title\n\n\n\nIt is the beginning of the text and of the story.',
      'text/markdown; charset=utf-8',
    ),
  )
  expect(markdown).toMatchObject({ title: 'The title', language: 'en' })
  expect(page(await read(`\n<!DOCTYPE html>${article}`, 'text/plain')).text).not.toContain('<p>')
  expect(
    await read(
      Uint8Array.from({ length: 5_000 }, (_, i) => (i * i * 31) % 256),
      'text/plain',
    ),
  ).toEqual({ reason: 'not_text' })
  expect(await read('GIF89a', 'image/gif')).toEqual({ reason: 'not_text' })
  expect(await read(' \n\u200b ', 'text/plain')).toEqual({ reason: 'empty' })
  expect(await read(new Uint8Array(), 'text/html')).toEqual({ reason: 'empty' })
})

test('a PDF is read by paragraph, and an encrypted, broken or empty one has a reason', async () => {
  const read = await readPdf(
    pdf(['The rate was 7.2 per cent in the first quar-\nter of the year.', 'The second page.']),
  )
  expect(page(read)).toMatchObject({
    title: 'A small report',
    text: 'The rate was 7.2 per cent in the first quarter of the year.\n\nThe second page.',
    isCut: false,
  })
  expect(await readPdf(lockedPdf())).toEqual({ reason: 'unreadable' })
  expect(await readPdf(bytesOf('%PDF-1.7 and no more'))).toEqual({ reason: 'unreadable' })
  expect(await readPdf(bytesOf('no such thing'))).toEqual({ reason: 'unreadable' })
  expect(await readPdf(pdf(['']))).toEqual({ reason: 'empty' })
  const long = page(await readPdf(pdf(Array.from({ length: 201 }, (_, i) => `Page ${i + 1}.`))))
  expect(long.isCut).toBe(true)
  expect(long.text.endsWith('Page 200.')).toBe(true)
})

const readPdf = (bytes: Uint8Array) => read(bytes, 'application/pdf')

test('a paywall or bot check differs from a page about them', () => {
  const subscribe = '<p>The minister resigned on Monday.</p><p>Subscribe to continue reading.</p>'
  const notFree = '<script type="application/ld+json">{"hasPart":{"isAccessibleForFree":"False"}}</script>'
  expect(readHere(subscribe)).toEqual({ reason: 'paywall' })
  expect(readHere(`${notFree}<p>The minister resigned on Monday, and so did others.</p>`)).toEqual({
    reason: 'paywall',
  })
  expect(
    readHere('<title>Just a moment...</title><p>Checking your browser before you continue.</p>'),
  ).toEqual({ reason: 'unreadable' })
  expect(
    readHere('<div id="root"></div><noscript>You need to enable JavaScript.</noscript><script>x()</script>'),
  ).toEqual({ reason: 'empty' })
  const about = `${subscribe}<p>Please enable JavaScript and solve the captcha.</p>${article}`
  expect(page(readHere(about)).text).toContain('Mombasa')
})

test('pages that are built to be slow are read as far as possible', async () => {
  const words = 'Some words that are long enough to read'
  const bombs = [
    '<div>'.repeat(100_000) + words,
    `<p ${Array.from({ length: 50_000 }, (_, i) => `a${i}=1`).join(' ')}>${words}`,
    `<p>${words}${'<i>'.repeat(20_000)}${'</u>'.repeat(50_000)}`,
    `<p>${words}${'<table><tr><td>'.repeat(5_000)}`,
    `<p>${words}${'<p '.repeat(50_000)}`,
    `<p>${words}${'<!--'.repeat(50_000)}`,
    `<p>${words} a${'\u0301\u0323'.repeat(20_000)}`,
    `<p>${words}${'<br>'.repeat(50_000)}`,
    `<script type="application/ld+json">${'['.repeat(100_000)}</script>${words}`,
  ]
  for (const bomb of bombs)
    expect(page(readHere(bomb)).text).toContain('Some words that are long enough to read')
  const many = page(readHere(`<p>${words}${'&lt;'.repeat(40_000)}`))
  expect(many.text.startsWith(words)).toBe(true)
})

test('a long text is cut between words, and marked as cut', () => {
  const { text, isCut } = page(readText({ bytes: bytesOf('twelve chars '.repeat(20_000)), charset: null }))
  expect(isCut).toBe(true)
  expect(text.length).toBeLessThanOrEqual(200_000)
  expect(text.endsWith(' chars') || text.endsWith(' twelve')).toBe(true)
  const unbroken = page(readText({ bytes: bytesOf(`a${'😀'.repeat(150_000)}`), charset: null }))
  expect(unbroken.text.isWellFormed()).toBe(true)
})

test('an aborted read throws the abort reason', async () => {
  const gone = AbortSignal.abort(new Error('cancelled'))
  const asked = {
    url: 'https://example.com/',
    contentType: 'text/html',
    charset: null,
    bytes: bytesOf(article),
  }
  await expect(readPage(asked, { signal: gone, owner: 'org_1' })).rejects.toThrow('cancelled')
})

const pieces = fc.constantFrom(
  ...[
    '<p>',
    '</p>',
    '<div hidden>',
    '</div>',
    '<table>',
    '<tr>',
    '<td>',
    '</table>',
    '<li',
    '<ul>',
    '<a href="',
    '">',
    "'",
  ],
  ...[
    '<!--',
    '-->',
    '<script>',
    '</script>',
    '<title>',
    '<svg>',
    '<pre>',
    '<br/>',
    '</',
    '<',
    '&',
    '&#x',
    ';',
    '\u0000',
    '<h1>',
  ],
  ...[
    '<html lang=',
    '<meta content=',
    '<sup>',
    '<![CDATA[',
    'word ',
    'é',
    '\ud800',
    '\u202e',
    '<nav>',
    '</nav>',
    '<body>',
    '\n',
  ],
)

test('any page gives a clean text or a reason', () => {
  const markup = fc.array(pieces, { maxLength: 60 }).map((parts) => bytesOf(parts.join('')))
  const anything = fc.oneof(markup, fc.uint8Array({ maxLength: 400 }))
  const label = fc.oneof(
    fc.constant(null),
    fc.string({ maxLength: 12 }),
    fc.constantFrom('utf-16', 'gbk', 'utf-7'),
  )
  fc.assert(
    fc.property(anything, label, (bytes, charset) => {
      for (const outcome of [readHere(bytes, charset), readText({ bytes, charset })]) {
        if ('reason' in outcome) continue
        expect(outcome.text).toBe(outcome.text.normalize('NFC').trimEnd())
        expect(outcome.text).not.toMatch(/[\p{Default_Ignorable_Code_Point}\p{Cs}\0\r]|\n{3}|\S {2}/u)
        expect(outcome.sha256).toHaveLength(64)
      }
    }),
    { numRuns: rounds(40, 150) },
  )
})
