// Finds the images of a request that are given by URL, in all client formats, and replaces them.

type Fields = Record<string, unknown>
export type InlineImage = { readonly mediaType: string; readonly data: string }
/** Returns the image for a URL, or null to leave the URL. `path` is the field that holds it. */
export type VisitImage = (url: string, path: string) => InlineImage | null

/** The lists of messages or items, by format. */
const LISTS = ['messages', 'input', 'contents'] as const
/** The fields of messages, items and tool results that hold parts. */
const NESTED = ['content', 'output', 'parts', 'functionResponse', 'function_response'] as const
const DEPTH_MAX = 6

/** The same request with the images that `visit` returns. Unchanged parts are not copied. */
export function replaceImages<T extends Fields>(body: T, visit: VisitImage): T {
  return replaceIn(body, LISTS, '', (value, path) => replaceInValue(value, path, visit, DEPTH_MAX))
}

function replaceInValue(value: unknown, path: string, visit: VisitImage, depth: number): unknown {
  if (Array.isArray(value)) {
    let copy: unknown[] | null = null
    for (const [at, each] of value.entries()) {
      const replaced = replaceInValue(each, `${path}.${at}`, visit, depth)
      if (replaced === each) continue
      copy ??= [...value]
      copy[at] = replaced
    }
    return copy ?? value
  }
  if (!isRecord(value) || depth === 0) return value
  const found = imageIn(value)
  if (!found) return replaceIn(value, NESTED, path, (each, at) => replaceInValue(each, at, visit, depth - 1))
  if (/^data:/i.test(found.url)) return value
  const image = visit(found.url, `${path}.${found.field}`)
  return image ? found.replaceWith(image) : value
}

function replaceIn<T extends Fields>(
  fields: T,
  names: readonly string[],
  path: string,
  replace: (value: unknown, path: string) => unknown,
): T {
  let copy: T | null = null
  for (const name of names) {
    const value = fields[name]
    if (value === null || typeof value !== 'object') continue
    const replaced = replace(value, path === '' ? name : `${path}.${name}`)
    if (replaced !== value) copy = { ...(copy ?? fields), [name]: replaced }
  }
  return copy ?? fields
}

type ImagePart = {
  readonly url: string
  /** The field of the URL, below the part. */
  readonly field: string
  readonly replaceWith: (image: InlineImage) => Fields
}

/** The image of a part that refers to one by URL; null for any other part. */
function imageIn(part: Fields): ImagePart | null {
  if (part.type === 'image_url' || part.type === 'input_image' || part.type === 'computer_screenshot')
    return openAiImage(part)
  if (part.type === 'image') return anthropicImage(part)
  return 'fileData' in part || 'file_data' in part ? geminiImage(part) : null
}

function openAiImage(part: Fields): ImagePart | null {
  const { image_url: image } = part
  if (typeof image === 'string')
    return {
      url: image,
      field: 'image_url',
      replaceWith: (inline) => ({ ...part, image_url: dataUrl(inline) }),
    }
  if (!isRecord(image) || typeof image.url !== 'string') return null
  return {
    url: image.url,
    field: 'image_url.url',
    replaceWith: (inline) => ({ ...part, image_url: { ...image, url: dataUrl(inline) } }),
  }
}

function anthropicImage(part: Fields): ImagePart | null {
  const { source } = part
  if (!isRecord(source) || source.type !== 'url' || typeof source.url !== 'string') return null
  return {
    url: source.url,
    field: 'source.url',
    replaceWith: ({ mediaType, data }) => ({
      ...part,
      source: { type: 'base64', media_type: mediaType, data },
    }),
  }
}

/** Both spellings of the fields are accepted. Without an image type it is another file. */
function geminiImage({ fileData, file_data, ...part }: Fields): ImagePart | null {
  const file = fileData ?? file_data
  if (!isRecord(file)) return null
  const type = file.mimeType ?? file.mime_type
  const url = file.fileUri ?? file.file_uri
  if (typeof url !== 'string' || typeof type !== 'string' || !/^image\//i.test(type)) return null
  return {
    url,
    field: fileData === undefined ? 'file_data.file_uri' : 'fileData.fileUri',
    replaceWith: ({ mediaType, data }) => ({ ...part, inlineData: { mimeType: mediaType, data } }),
  }
}

const dataUrl = ({ mediaType, data }: InlineImage): string => `data:${mediaType};base64,${data}`
const isRecord = (value: unknown): value is Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
