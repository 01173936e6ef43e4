// Fetches the images that a request names by URL, so that the provider gets the images themselves. A failure is an error of the
// request that names the field, and costs nothing.
import { ApiError, invalidFields } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import { fetchImage, IMAGE_BYTES_MAX, IMAGE_SECONDS_MAX, imageTypeOf } from '../../platform/web/image.ts'
import { PageRefused } from '../../platform/web/page.ts'
import { type InlineImage, replaceImages } from './image-parts.ts'

type Fields = Record<string, unknown>

export const IMAGES_MAX = 5
const MIB = 1024 * 1024
/** All images of a request together: as many as fit into the body of a request that has them inline. */
export const ALL_IMAGES_BYTES_MAX = 8 * MIB

/** The fields with URLs of images, by URL. Throws for a URL that is never fetched, and for too many. */
export function imageUrlsIn(body: Fields): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  replaceImages(body, (url, path) => {
    if (!/^https?:\/\//i.test(url))
      throw invalidFields({
        path,
        message: 'must be an https URL or a data: URL; file ids are not supported',
      })
    if (!fields.has(url)) fields.set(url, path)
    if (fields.size > IMAGES_MAX)
      throw invalidFields({ path, message: `must be a data: URL: at most ${IMAGES_MAX} images are fetched` })
    return null
  })
  return fields
}

/** The same request with the images in place of their URLs. */
export async function fetchImages<T extends Fields>(
  app: App,
  body: T,
  fields: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<T> {
  const ending = new AbortController()
  const either = AbortSignal.any([signal, ending.signal])
  try {
    const images = new Map(
      await Promise.all(
        [...fields].map(async ([url, path]) => [url, await fetchOne(app, url, path, either)] as const),
      ),
    )
    requireTotal(images, fields)
    return replaceImages(body, (url) => images.get(url) ?? null)
  } catch (error) {
    if (signal.aborted && !(error instanceof ApiError)) throw new ApiError('upstream_unavailable')
    throw error
  } finally {
    // The first failure ends the request, so the other images are not needed.
    ending.abort()
  }
}

async function fetchOne(app: App, url: string, path: string, signal: AbortSignal): Promise<InlineImage> {
  const { fetchAllow, baseUrl } = app.config
  const rules = { allow: fetchAllow, userAgent: `CowrieImages/1.0 (+${baseUrl})` }
  try {
    const bytes = await fetchImage(url, rules, signal)
    const mediaType = imageTypeOf(bytes)
    if (!mediaType) throw invalidFields({ path, message: 'must be a PNG, JPEG, WebP or GIF image' })
    return { mediaType, data: bytes.toString('base64') }
  } catch (error) {
    if (error instanceof PageRefused) throw invalidFields({ path, message: messageOf(error) })
    throw error
  }
}

function messageOf({ reason, status }: PageRefused): string {
  switch (reason) {
    case 'bad_address':
      return 'is not a valid URL'
    case 'port_refused':
      return 'must be an https URL without a port'
    case 'private_address':
      return 'must be an address on the public internet'
    case 'timeout':
      return `was not received within ${IMAGE_SECONDS_MAX} seconds; send the image as a data: URL`
    case 'too_large':
      return `must be an image of at most ${IMAGE_BYTES_MAX / MIB} MiB`
    case 'too_many_redirects':
      return 'has too many redirects'
    case 'unreachable':
      return 'could not be reached; if this service has no access to the internet, send the image as a data: URL'
    default:
      return status === undefined || reason === 'empty'
        ? 'has no readable content'
        : `returned the status ${status} instead of an image`
  }
}

function requireTotal(images: ReadonlyMap<string, InlineImage>, fields: ReadonlyMap<string, string>): void {
  let bytes = 0
  for (const [url, { data }] of images) {
    bytes += (data.length * 3) / 4
    if (bytes > ALL_IMAGES_BYTES_MAX)
      throw invalidFields({
        path: fields.get(url) ?? '',
        message: `exceeds ${ALL_IMAGES_BYTES_MAX / MIB} MiB together with the images before it`,
      })
  }
}
