// The protocol revision of a message. Revisions up to 2025 negotiate it in a handshake and repeat it in a header; since 2026
// every request states it. Both work without server state.
import type { Request } from './message.ts'
import { isRecord, type Message, RPC, RpcError } from './message.ts'

/** Negotiated by `initialize`, newest first. */
export const WITH_HANDSHAKE = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const
/** Stated in every request. */
export const BY_REQUEST = ['2026-07-28'] as const
export const SUPPORTED = [...BY_REQUEST, ...WITH_HANDSHAKE]

const NEWEST_HANDSHAKE = WITH_HANDSHAKE[0]
/** The revision of a client that sends no header after its handshake. */
const DEFAULT_REVISION = '2025-03-26'
/** The only revisions with batches. */
const WITH_BATCHES: readonly string[] = ['2025-03-26', '2024-11-05']

const VERSION = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'

/** Limits the client version that an error repeats. */
const REPEATED_CHARACTERS = 100

export type Revision = { readonly name: string; readonly isByRequest: boolean }
type Headers = Readonly<Record<string, string | string[] | undefined>>

/** The requested revision if supported, or the newest. */
export const negotiateRevision = (requested: unknown): string =>
  WITH_HANDSHAKE.find((revision) => revision === requested) ?? NEWEST_HANDSHAKE

/** The revision of a message. Throws the error that the revision prescribes. */
export function revisionOf(message: Message, headers: Headers): Revision {
  const header = single(headers['mcp-protocol-version'])
  const claimed = claimedVersion(message)
  if (claimed !== undefined) return checkByRequest(message, headers, claimed, header)
  if (header !== undefined && isByRequest(header)) {
    const isHandshake = message.method === 'initialize'
    if (message.id === undefined && !isHandshake) return { name: header, isByRequest: true }
    throw isHandshake
      ? mismatch('initialize was sent with a revision that has no handshake')
      : new RpcError(RPC.invalidParams, `Revision ${header} needs ${VERSION} and ${CAPABILITIES} in _meta.`, {
          status: 400,
        })
  }
  if (header !== undefined && message.method !== 'initialize' && !isKnown(WITH_HANDSHAKE, header))
    throw unsupported(header)
  return { name: header ?? DEFAULT_REVISION, isByRequest: false }
}

export const takesBatches = (headers: Headers): boolean =>
  WITH_BATCHES.includes(single(headers['mcp-protocol-version']) ?? DEFAULT_REVISION)

function checkByRequest(
  message: Message,
  headers: Headers,
  claimed: unknown,
  header: string | undefined,
): Revision {
  // Checked first: a proxy may have routed by a header that differs from the body.
  if (header !== undefined && header !== claimed)
    throw mismatch(
      `the message states ${String(claimed).slice(0, REPEATED_CHARACTERS)} and the MCP-Protocol-Version header ${header.slice(0, REPEATED_CHARACTERS)}`,
    )
  if (typeof claimed !== 'string' || !isByRequest(claimed)) throw unsupported(String(claimed))
  if (message.id !== undefined) checkRequest(message, headers, header)
  return { name: claimed, isByRequest: true }
}

/** Proxies route by headers and we serve by the body, so both must agree. */
function checkRequest(
  { method, params }: Pick<Request, 'method' | 'params'> | Message,
  headers: Headers,
  header?: string,
) {
  if (!isRecord(metaOf({ params })[CAPABILITIES]))
    throw new RpcError(RPC.invalidParams, `_meta needs ${CAPABILITIES}.`, { status: 400 })
  if (header === undefined) throw mismatch('the MCP-Protocol-Version header is missing')
  if (single(headers['mcp-method']) !== method) throw mismatch(`the Mcp-Method header must be ${method}`)
  if (method === 'tools/call' && decodeHeader(single(headers['mcp-name'])) !== params?.name)
    throw mismatch('the Mcp-Name header must be the name of the tool')
}

const metaOf = ({ params }: { params?: Message['params'] }): Record<string, unknown> =>
  isRecord(params?._meta) ? params._meta : {}
const claimedVersion = (message: Message): unknown => metaOf(message)[VERSION]
const isKnown = (known: readonly string[], revision: string): boolean => known.includes(revision)
const isByRequest = (revision: string): boolean => isKnown(BY_REQUEST, revision)

/** Values that do not fit into a header are sent as `=?base64?…?=`. */
function decodeHeader(value: string | undefined): string | undefined {
  const encoded = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value ?? '')?.[1]
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8')
}

const mismatch = (problem: string): RpcError =>
  new RpcError(RPC.headerMismatch, `Headers and message disagree: ${problem}.`, { status: 400 })

const unsupported = (requested: string): RpcError =>
  new RpcError(
    RPC.unsupportedRevision,
    `This protocol revision is not supported. Use one of ${SUPPORTED.join(', ')}.`,
    { status: 400, data: { supported: SUPPORTED, requested: requested.slice(0, REPEATED_CHARACTERS) } },
  )

const single = (value: string | string[] | undefined): string | undefined =>
  (Array.isArray(value) ? value.join(',') : value)?.trim()
