// The headers of a tar archive in the format of git and GitHub.

/** `other`: a link, a device or another special entry. */
export type TarEntryType = 'file' | 'folder' | 'other'

export class InvalidTar extends Error {
  constructor(reason: string) {
    super(`invalid tar archive: ${reason}`)
    this.name = 'InvalidTar'
  }
}

export const BLOCK = 512
const NAME_MAX = 4_096
const TYPES: Readonly<Record<string, TarEntryType>> = {
  '0': 'file',
  '\0': 'file',
  '7': 'file',
  '5': 'folder',
}

export type TarHeader = {
  readonly type: TarEntryType
  /** The purpose of the body: the entry itself, or the name of the next one. */
  readonly role: 'entry' | 'global' | 'record' | 'long name'
  readonly size: number
  readonly name: string
}
const ROLES: Readonly<Record<string, TarHeader['role']>> = { g: 'global', x: 'record', L: 'long name' }

/** Null at the end of the archive. */
export function readHeader(header: Buffer): TarHeader | null {
  if (header[0] === 0 && header.every((byte) => byte === 0)) return null
  verifyChecksum(header)
  const flag = String.fromCharCode(header[156] ?? 0)
  return {
    type: TYPES[flag] ?? 'other',
    role: ROLES[flag] ?? 'entry',
    size: readOctal(header, 124, 12),
    name: shortName(header),
  }
}

/** The name that a record or a long name gives to the next entry; null if it gives none. */
export const readNextName = (role: TarHeader['role'], body: Buffer): string | null =>
  role === 'record' ? readPaxPath(body) : role === 'long name' ? readText(body) : null

export const paddedSize = (size: number): number => Math.ceil(size / BLOCK) * BLOCK

function shortName(header: Buffer): string {
  const name = readText(header.subarray(0, 100))
  const prefix = header.toString('latin1', 257, 262) === 'ustar' ? readText(header.subarray(345, 500)) : ''
  return prefix === '' ? name : `${prefix}/${name}`
}

function readText(bytes: Uint8Array): string {
  const end = bytes.indexOf(0)
  const name = Buffer.from(end === -1 ? bytes : bytes.subarray(0, end)).toString('utf8')
  if (name.length > NAME_MAX) throw new InvalidTar('a name is too long')
  return name
}

/** Records have the form "<length> key=value\n". A size record is rejected, because it contradicts the header. */
function readPaxPath(body: Buffer): string | null {
  let path: string | null = null
  for (let at = 0; at < body.length; ) {
    const space = body.indexOf(0x20, at)
    const length = Number(body.toString('latin1', at, space))
    if (space === -1 || !Number.isSafeInteger(length) || length <= space - at || at + length > body.length)
      throw new InvalidTar('a record has an invalid length')
    const record = body.toString('utf8', space + 1, at + length - 1)
    if (record.startsWith('path=')) path = record.slice('path='.length)
    if (record.startsWith('size=')) throw new InvalidTar('a record overrides the size')
    at += length
  }
  if (path !== null && (path.length > NAME_MAX || path.includes('\0')))
    throw new InvalidTar('a name is invalid')
  return path
}

function readOctal(header: Buffer, at: number, width: number): number {
  const digits = header.toString('latin1', at, at + width).replaceAll(/[\0 ]/g, '')
  if (!/^[0-7]{1,11}$/.test(digits)) throw new InvalidTar('a number is invalid')
  return Number.parseInt(digits, 8)
}

/** The checksum is computed with spaces in its own field. */
function verifyChecksum(header: Buffer): void {
  let sum = 0
  for (let at = 0; at < BLOCK; at++) sum += at >= 148 && at < 156 ? 0x20 : (header[at] ?? 0)
  if (sum !== readOctal(header, 148, 8)) throw new InvalidTar('a checksum is wrong')
}
