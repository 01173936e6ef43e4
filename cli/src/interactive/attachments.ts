// Files and images that go with a message: `@path` names a file of the repository, and a pasted or named path of an image is
// attached from anywhere. Secrets are not attached.
import { readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { secretLines } from '@cowrie/sdk/secrets'
import { readText } from '../context/read-file.ts'
import { SKIP_REASONS } from '../context/sendable.ts'
import type { NewTurn } from '../session/types.ts'
import { sizeText } from './units.ts'

export type Attachment = NewTurn['attachments'][number]
export type FoundAttachments = {
  readonly attachments: readonly Attachment[]
  /** One line for each that was attached or left out. */
  readonly notes: readonly string[]
}

/** Limits of the service. */
const ATTACHMENTS_MAX = 10
const CHARACTERS_MAX = 2_000_000
const IMAGE_BYTES_MAX = Math.floor((CHARACTERS_MAX / 4) * 3)

/** `@src/a.ts` or `@"my file.ts"`, at the start of a word. */
const NAMED_FILE = /(?<=^|\s)@(?:"([^"\n]+)"|([^\s"]+))/g
/** The end of a path of an image. */
const IMAGE_END = /\.(?:png|jpe?g|gif|webp)(?=["'\s,;:.!?)]|$)/gi
const IMAGES_MAX = 50
const PATH_CHARACTERS_MAX = 1_000

/** The files and images that a message names. */
export async function attachmentsIn(text: string, root: string): Promise<FoundAttachments> {
  const found: { attachment: Attachment; note: string }[] = []
  const notes: string[] = []
  const seen = new Set<string>()
  const add = async (path: string, read: () => Promise<Outcome>) => {
    if (seen.has(path)) return
    seen.add(path)
    const outcome = await read()
    if (outcome === null) return
    if ('refused' in outcome) notes.push(outcome.refused)
    else if (found.length >= ATTACHMENTS_MAX)
      notes.push(`${path} is not attached: a message has at most ${ATTACHMENTS_MAX} attachments.`)
    else found.push(outcome)
  }
  for (const [, quoted, plain] of text.matchAll(NAMED_FILE)) {
    const name = quoted ?? plain ?? ''
    if (!isImageName(name)) await add(name, () => namedFile(root, name))
  }
  for (const name of imagePathsIn(text)) await add(name, () => imageIfThere(root, name))
  return {
    attachments: found.map(({ attachment }) => attachment),
    notes: [...found.map(({ note }) => note), ...notes],
  }
}

/** Paths that end like an image: quoted, with escaped spaces, or as a file address. A long text takes no longer per character. */
function imagePathsIn(text: string): string[] {
  const names: string[] = []
  for (const { 0: ending, index } of text.matchAll(IMAGE_END)) {
    if (names.length >= IMAGES_MAX) break
    const end = index + ending.length
    const quote = text[end]
    const start = quote === '"' || quote === "'" ? startOfQuoted(text, end, quote) : null
    names.push(
      start === null
        ? text.slice(startOfWord(text, end), end).replace(/\\(.)/g, '$1').replace(/^@/, '')
        : text.slice(start, end),
    )
  }
  return names
}

/** After the quotation mark before it in the same line; null without one. */
function startOfQuoted(text: string, end: number, quote: string): number | null {
  for (let at = end - 1; at >= 0 && end - at <= PATH_CHARACTERS_MAX; at--) {
    if (text[at] === quote) return at + 1
    if (text[at] === '\n') return null
  }
  return null
}

/** A space after a backslash belongs to the word. */
function startOfWord(text: string, end: number): number {
  let at = end
  while (at > 0 && end - at <= PATH_CHARACTERS_MAX) {
    const before = text[at - 1] ?? ''
    if (/["']/.test(before) || (/\s/.test(before) && text[at - 2] !== '\\')) break
    at--
  }
  return at
}

type Outcome = { attachment: Attachment; note: string } | { refused: string } | null

/** A word that looks like a file, unlike `@types/node`. */
const LOOKS_LIKE_FILE = /[^/]\.[a-z]\w{0,9}$/i

/** A word such as `@types/node` that names no file is left as it is. */
async function namedFile(root: string, written: string): Promise<Outcome> {
  for (const name of new Set([written, written.replace(/[.,;:!?)]+$/, '')])) {
    const path = relativeIn(root, name)
    if (path === null || !(await isFile(join(root, path)))) continue
    return textFile(root, path)
  }
  const name = written.replace(/[.,;:!?)]+$/, '')
  return LOOKS_LIKE_FILE.test(name)
    ? { refused: `${name} is not attached: there is no such file here.` }
    : null
}

/** A text file of the repository, unless it holds secrets. */
async function textFile(root: string, path: string): Promise<Outcome> {
  const read = await readText(root, path, CHARACTERS_MAX)
  if (typeof read === 'string') return { refused: `${path} is not attached: it ${SKIP_REASONS[read]}.` }
  const [secret] = secretLines(read.content)
  if (secret)
    return { refused: `${path} is not attached: line ${secret.line} looks like a secret (${secret.reason}).` }
  return { attachment: { name: path, content: read.content }, note: noteOf(path, read.content.length) }
}

async function imageIfThere(root: string, name: string): Promise<Outcome> {
  const path = imagePath(root, name)
  return path !== null && (await isFile(path)) ? imageFile(path) : null
}

async function imageFile(path: string): Promise<Outcome> {
  const name = basename(path)
  const { size } = await stat(path)
  if (size > IMAGE_BYTES_MAX)
    return {
      refused: `${name} is not attached: it has ${sizeText(size)}, and ${sizeText(IMAGE_BYTES_MAX)} is the limit.`,
    }
  const bytes = await readFile(path).catch(() => null)
  if (!bytes) return { refused: `${name} is not attached: it cannot be read.` }
  const mediaType = mediaTypeOf(bytes)
  if (mediaType === null)
    return { refused: `${name} is not attached: it is not a PNG, JPEG, GIF or WebP image.` }
  return {
    attachment: { name, mediaType, data: bytes.toString('base64') },
    note: noteOf(name, bytes.length),
  }
}

/** For `-f` and `--image`, where a file that cannot be attached is an error. */
export async function attachFile(
  root: string,
  cwd: string,
  name: string,
): Promise<Attachment | { refused: string }> {
  const full = resolve(cwd, name)
  const path = relativeIn(root, full)
  if (path === null) return { refused: `${name} is outside of ${root}.` }
  if (!(await isFile(full))) return { refused: `There is no file ${name}.` }
  return attachmentOf(await textFile(root, path), name)
}

export async function attachImage(cwd: string, name: string): Promise<Attachment | { refused: string }> {
  const full = resolve(cwd, name)
  if (!(await isFile(full))) return { refused: `There is no file ${name}.` }
  return attachmentOf(await imageFile(full), name)
}

function attachmentOf(outcome: Outcome, name: string): Attachment | { refused: string } {
  if (outcome === null) return { refused: `There is no file ${name}.` }
  return 'refused' in outcome ? outcome : outcome.attachment
}

const noteOf = (name: string, size: number): string => `Attached ${name} (${sizeText(size)}).`
const isImageName = (name: string): boolean => /\.(png|jpe?g|gif|webp)$/i.test(name)

/** The path below the root with slashes; null outside of it. */
function relativeIn(root: string, name: string): string | null {
  const full = resolve(root, name)
  return full.startsWith(`${root}/`) || full.startsWith(`${root}\\`)
    ? full.slice(root.length + 1).replaceAll('\\', '/')
    : null
}

function imagePath(root: string, name: string): string | null {
  if (name.startsWith('file://')) {
    try {
      return fileURLToPath(name)
    } catch {
      return null
    }
  }
  if (name.startsWith('~/')) return join(homedir(), name.slice(2))
  return isAbsolute(name) ? name : resolve(root, name)
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  )

type MediaType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'

/** By the first bytes, because a name proves nothing. */
function mediaTypeOf(bytes: Buffer): MediaType | null {
  const start = bytes.subarray(0, 12).toString('latin1')
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(start)) return 'image/gif'
  return /^RIFF.{4}WEBP$/s.test(start) ? 'image/webp' : null
}
