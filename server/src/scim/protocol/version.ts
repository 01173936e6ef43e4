// Versions of resources (RFC 7644, section 3.14): weak ETags of what a directory service can read and change.
import { hash } from 'node:crypto'
import { ApiError } from '../../kernel/errors.ts'
import { canonicalJson } from '../../kernel/json.ts'
import { answer } from '../../platform/http/answer.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { matches } from '../../platform/http/static/published-document.ts'

export type VersionedResource = { readonly meta: { readonly version: string } }

/** A change by a directory service: its address for the audit log, and the version that it is based on. */
export type ChangeRequest = { readonly address: string; readonly ifMatch: string | undefined }

export const versionOf = (attributes: object): string =>
  `W/"${hash('sha256', canonicalJson(attributes), 'base64url').slice(0, 22)}"`

export const changeRequest = ({ address, headers }: RequestInfo): ChangeRequest => ({
  address,
  ifMatch: headerOf(headers, 'if-match'),
})

/** Called under the lock of the organisation, so that the version cannot change before the commit. */
export function requireVersion({ ifMatch }: ChangeRequest, { meta }: VersionedResource): void {
  if (ifMatch !== undefined && !matches(ifMatch, meta.version)) throw new ApiError('version_changed')
}

/** Sends the version as a header too. */
export function withEtag<T extends VersionedResource>(request: RequestInfo, resource: T): T {
  request.setHeader('etag', resource.meta.version)
  return resource
}

/** Answers 304 to a caller who has this version. */
export function unlessKnown<T extends VersionedResource>(request: RequestInfo, resource: T) {
  const { version } = resource.meta
  return matches(headerOf(request.headers, 'if-none-match'), version)
    ? answer(304, '', { etag: version })
    : withEtag(request, resource)
}

function headerOf(headers: RequestInfo['headers'], name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(',') : value
}
