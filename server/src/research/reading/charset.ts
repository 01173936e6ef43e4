// Decodes bytes. Declared charsets are often wrong or missing; decoding always gives a text.

const META_BYTES = 2_048
const DEFAULT = 'utf-8'
/** The default of browsers for undeclared pages that are not UTF-8. */
const WESTERN = 'windows-1252'

/** The byte order mark outranks the header, and the header outranks the page. Never throws. */
export function decode(bytes: Uint8Array, header: string | null): string {
  const marked = findByteOrderMark(bytes)
  if (marked) return new TextDecoder(marked).decode(bytes)
  const encoding = findEncoding(header) ?? findEncoding(findDeclaredCharset(bytes)) ?? DEFAULT
  const text = new TextDecoder(encoding).decode(bytes)
  return encoding === DEFAULT && isUnlikelyUtf8(text) ? new TextDecoder(WESTERN).decode(bytes) : text
}

/** More replacement characters than other non-ASCII letters: the text has another encoding. */
function isUnlikelyUtf8(text: string): boolean {
  const broken = text.split('\ufffd').length - 1
  if (broken === 0) return false
  const sound = text.length - text.replaceAll(/[^\x00-\x7f\ufffd]/g, '').length
  return broken > sound
}

function findByteOrderMark([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return null
}

/** The name of the encoding, or null if it is unknown. */
function findEncoding(label: string | null): string | null {
  if (!label) return null
  try {
    return new TextDecoder(label.trim().replaceAll(/["']/g, '')).encoding
  } catch {
    return null
  }
}

/** A page with a readable meta element is not UTF-16, so such a declaration is wrong. */
function findDeclaredCharset(bytes: Uint8Array): string | null {
  const start = new TextDecoder(WESTERN).decode(bytes.subarray(0, META_BYTES))
  const match = /<(?:meta|\?xml)\b[^>]{0,300}?(?:charset|encoding)\s{0,9}=\s{0,9}["']?([\w:.-]{1,40})/i.exec(
    start,
  )
  const label = match?.[1] ?? null
  return label && /^utf-?16/i.test(label) ? DEFAULT : label
}
