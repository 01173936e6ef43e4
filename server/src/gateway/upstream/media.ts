// Images and files of a prompt. They are sent inline, never as URLs. They count with a fixed allowance, because their token
// count cannot be derived from their bytes.
import { invalidFields } from '../../kernel/errors.ts'
import { estimateMaxTextTokens } from '../../platform/inference/inference.ts'
import { estimateMaxTokens } from '../../platform/inference/tokens/estimate-tokens.ts'

export type Media = {
  /** Each as in the request. */
  readonly texts: readonly string[]
  readonly characters: number
  /** The allowance of all of them: for the hold, for the plausibility check and for our own count. */
  readonly tokens: number
  /** Whether some are no images. A short file can have many pages, so its tokens are known only to the provider. */
  readonly hasFiles: boolean
}

type Fields = Record<string, unknown>

/** The approximate tokens of an image. */
export const PICTURE_TOKENS = 1_600
/** Other files contain text or speech: their allowance grows with their length. */
const CHARACTERS_PER_TOKEN = 4

const NOTHING: Media = { texts: [], characters: 0, tokens: 0, hasFiles: false }
/** Types of pure text parts. */
const TEXT_PARTS = new Set<unknown>(['text', 'input_text', 'output_text', 'refusal'])
/** Text fields of other parts. */
const TEXT_FIELDS = new Set(['text', 'name', 'filename', 'title', 'type'])
const PICTURE = /^data:image\//i
const ADDRESS = /^\s*(?:https?:|[a-z][a-z0-9+.-]*:\/\/)/i

/** The media of messages or items, after their images were fetched. Throws for a URL. */
export function mediaIn(items: unknown, path: string): Media {
  if (!Array.isArray(items)) return NOTHING
  const found: string[] = []
  for (const [place, item] of (items as Fields[]).entries()) {
    if (typeof item.content === 'object') collectFromParts(item.content, `${path}.${place}.content`, found)
    if (typeof item.output === 'object') collectFromParts(item.output, `${path}.${place}.output`, found)
    if (typeof item.type === 'string' && /^input_(?!text)/.test(item.type))
      collect(item, '', `${path}.${place}`, found)
  }
  if (found.length === 0) return NOTHING
  return {
    texts: found,
    characters: found.reduce((sum, text) => sum + text.length, 0),
    tokens: found.reduce((sum, text) => sum + allowanceOf(text), 0),
    hasFiles: found.some((text) => !PICTURE.test(text)),
  }
}

/** The upper bound of a prompt: text by its token bound, media by their allowance. */
export function promptTokensWith(raw: Buffer | undefined, { texts, tokens }: Media): number {
  const all = estimateMaxTextTokens(raw?.toString() ?? '')
  return texts.reduce((left, text) => Math.max(0, left - estimateMaxTokens(text)), all) + tokens
}

/** The same for a request that has more than the bytes of its caller. */
export const promptTokensOf = (body: object, media: Media): number =>
  promptTokensWith(Buffer.from(JSON.stringify(body)), media)

function collectFromParts(parts: unknown, path: string, found: string[]): void {
  if (!Array.isArray(parts)) collectFromPart(parts, path, found)
  else for (const [place, part] of parts.entries()) collectFromPart(part, `${path}.${place}`, found)
}

function collectFromPart(part: unknown, path: string, found: string[]): void {
  if (part === null || typeof part !== 'object' || TEXT_PARTS.has((part as Fields).type)) return
  collect(part, '', path, found)
}

function collect(value: unknown, name: string, path: string, found: string[]): void {
  if (typeof value === 'string') {
    if (TEXT_FIELDS.has(name)) return
    if (isRemote(name, value))
      throw invalidFields({
        path,
        message: 'must be the file itself, as a data: URL; file ids and URLs of files are not supported',
      })
    if (isMedia(name, value)) found.push(value)
  } else if (Array.isArray(value)) {
    for (const [place, each] of value.entries()) collect(each, name, `${path}.${place}`, found)
  } else if (value !== null && typeof value === 'object') {
    for (const [field, each] of Object.entries(value)) collect(each, field, `${path}.${field}`, found)
  }
}

/** Files stored at the upstream belong to our account, so customers may not refer to them. */
const isRemote = (name: string, value: string): boolean =>
  name === 'file_id' || ADDRESS.test(value) || (/url$/i.test(name) && !/^data:/i.test(value))

const isMedia = (name: string, value: string): boolean =>
  /^data:/i.test(value) || name === 'data' || name === 'file_data'

const allowanceOf = (text: string): number =>
  PICTURE.test(text)
    ? PICTURE_TOKENS
    : Math.max(PICTURE_TOKENS, Math.ceil(text.length / CHARACTERS_PER_TOKEN))
