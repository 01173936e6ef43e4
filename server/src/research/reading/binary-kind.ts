// Recognizes common binary files by their first bytes. Some of them have few control characters and would pass as text.

const KINDS: readonly (readonly [kind: string, start: RegExp])[] = [
  ['PNG', /^\x89PNG/],
  ['JPEG', /^\xff\xd8\xff/],
  ['GIF', /^GIF8[79]a/],
  ['WebP', /^RIFF[\s\S]{4}WEBP/],
  ['BMP', /^BM[\s\S]{4}\0\0\0\0/],
  ['TIFF', /^(?:II\*\0|MM\0\*)/],
  ['ICO', /^\0\0\x01\0/],
  ['ZIP', /^PK(?:\x03\x04|\x05\x06)/],
  ['gzip', /^\x1f\x8b\x08/],
  ['7z', /^7z\xbc\xaf\x27\x1c/],
  ['RAR', /^Rar!\x1a\x07/],
  ['Office 97', /^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/],
  ['MP4', /^[\s\S]{4}ftyp/],
  ['MP3', /^ID3[\x02-\x04]\0/],
  ['Ogg', /^OggS\0/],
  ['WAV', /^RIFF[\s\S]{4}WAVE/],
  ['ELF', /^\x7fELF/],
  ['EXE', /^MZ[\s\S]{0,80}\0\0/],
  ['WebAssembly', /^\0asm/],
  ['SQLite', /^SQLite format 3\0/],
]
const START_BYTES = 100

/** `PNG`; null for text and for other files. */
export function binaryKind(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, START_BYTES))
  // Bytes that were sent as text: each byte became a character, or a replacement for one.
  const characters = start.toString('utf8').replace(/^\ufffd(?=PNG)/, '\x89')
  const raw = start.toString('latin1')
  return KINDS.find(([, pattern]) => pattern.test(raw) || pattern.test(characters))?.[0] ?? null
}
