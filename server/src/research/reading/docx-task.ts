// Reads an office document (Office Open XML) on a worker thread: its paragraphs, headings, list items and table rows.
import { inflateRawSync } from 'node:zlib'
import { createSnapshot, type PageSnapshot, type UnreadablePage } from './snapshot.ts'

export type DocxInput = { readonly bytes: Uint8Array }

const XML_BYTES_MAX = 30 * 1024 * 1024
const ENTRIES_MAX = 2_000

/** A broken or encrypted document is unreadable. */
export function run({ bytes }: DocxInput): PageSnapshot | UnreadablePage {
  try {
    const xml = unpack(Buffer.from(bytes), 'word/document.xml')
    if (xml === null) return { reason: 'unreadable' }
    const text = toText(xml.toString('utf8'))
    return createSnapshot({ title: '', text, language: null, publishedOn: null, isCut: false })
  } catch {
    return { reason: 'unreadable' }
  }
}

/** One file of a ZIP archive, by its central directory; null if it has none of this name. */
function unpack(zip: Buffer, wanted: string): Buffer | null {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06'))
  if (end < 0) return null
  const entries = Math.min(zip.readUInt16LE(end + 10), ENTRIES_MAX)
  let at = zip.readUInt32LE(end + 16)
  for (let entry = 0; entry < entries; entry++) {
    if (zip.readUInt32LE(at) !== 0x02014b50) return null
    const nameLength = zip.readUInt16LE(at + 28)
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    if (name === wanted) {
      const start = zip.readUInt32LE(at + 42)
      const from = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28)
      const packed = zip.subarray(from, from + zip.readUInt32LE(at + 20))
      return zip.readUInt16LE(at + 10) === 0
        ? packed
        : inflateRawSync(packed, { maxOutputLength: XML_BYTES_MAX })
    }
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return null
}

// The parts that carry text or structure. Deleted text is in `w:delText`, which does not match. No part reads beyond the next `<`,
// so that tags without an end take no longer than others.
const PART =
  /<w:t(?: [^<>]*)?>([^<]*)<\/w:t>|<w:(tab|br|cr|noBreakHyphen)\b[^<>]*>|<w:pStyle w:val="([^"<]*)"|<w:(numPr)>|<(\/?)w:(p|tc|tr)(?: [^<>]*)?>/g

/** Paragraphs are separated by an empty line; the cells of a row by a bar. */
function toText(xml: string): string {
  let text = ''
  let line = ''
  let mark = ''
  let cells: string[] = []
  let isCell = false
  for (const [, run, sign, style, list, slash, element] of xml.matchAll(PART)) {
    if (run !== undefined) line += decodeXml(run)
    else if (sign !== undefined) line += sign === 'tab' ? '\t' : sign === 'noBreakHyphen' ? '-' : '\n'
    else if (style !== undefined) mark = /^(?:Heading|Title)/i.test(style) ? '## ' : mark
    else if (list !== undefined) mark = '- '
    else if (slash === '') {
      if (element === 'tc') isCell = true
    } else if (element === 'p' && isCell) {
      // A cell may have several paragraphs.
      line += ' '
      mark = ''
    } else if (element === 'p') {
      if (line.trim() !== '') text += `${mark}${line.trim()}\n${mark === '- ' ? '' : '\n'}`
      line = ''
      mark = ''
    } else if (element === 'tc') {
      cells.push(line.trim())
      line = ''
      isCell = false
    } else {
      text += `${cells.join(' | ')}\n`
      cells = []
    }
  }
  return text
}

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

const decodeXml = (text: string): string =>
  text.replace(/&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi, (_, name, decimal, hex) => {
    if (name) return NAMED[name.toLowerCase()] ?? ''
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
