// Which revision of the protocol a message is written in. Until 2025 a handshake settles it and a header repeats it; since
// 2026 every request says it for itself. Neither needs a memory of ours.
import type { Request } from './message.ts'
import { isRecord, type Message, RPC, RpcError } from './message.ts'

/** Settled by `initialize`, the newest first. */
export const WITH_HANDSHAKE = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const
/** Said with every request. */
export const BY_REQUEST = ['2026-07-28'] as const
export const SUPPORTED = [...BY_REQUEST, ...WITH_HANDSHAKE]

const NEWEST_HANDSHAKE = WITH_HANDSHAKE[0]
/** What a client means that says nothing after its handshake. */
const DEFAULT_REVISION = '2025-03-26'
/** The only ones that know several messages in one. */
const WITH_BATCHES: readonly string[] = ['2025-03-26', '2024-11-05']

const VERSION = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'

/** How much of a client's version an error repeats. */
const REPEATED_CHARACTERS = 100

export type Revision = { readonly name: string; readonly isByRequest: boolean }
type Headers = Readonly<Record<string, string | string[] | undefined>>

/** The newest that both know. */
export const negotiateRevision = (wanted: unknown): string =>
  WITH_HANDSHAKE.find((revision) => revision === wanted) ?? NEWEST_HANDSHAKE

/** The revision of a message, or the refusal that its own revision demands. */
export function revisionOf(message: Message, headers: Headers): Revision {
  const said = single(headers['mcp-protocol-version'])
  const claimed = claimedVersion(message)
  if (claimed !== undefined) return checkByRequest(message, headers, claimed, said)
  if (said !== undefined && isByRequest(said)) {
    const isHandshake = message.method === 'initialize'
    if (message.id === undefined && !isHandshake) return { name: said, isByRequest: true }
    throw isHandshake
      ? mismatch('a handshake came with the version of a revision that has none')
      : new RpcError(RPC.invalidParams, `Revision ${said} needs ${VERSION} and ${CAPABILITIES} in _meta.`, {
          status: 400,
        })
  }
  if (said !== undefined && message.method !== 'initialize' && !isKnown(WITH_HANDSHAKE, said))
    throw unsupported(said)
  return { name: said ?? DEFAULT_REVISION, isByRequest: false }
}

export const takesBatches = (headers: Headers): boolean =>
  WITH_BATCHES.includes(single(headers['mcp-protocol-version']) ?? DEFAULT_REVISION)

function checkByRequest(
  message: Message,
  headers: Headers,
  claimed: unknown,
  said: string | undefined,
): Revision {
  // Before support is checked: a proxy that routed by the header has chosen another revision than the body names.
  if (said !== undefined && said !== claimed)
    throw mismatch(
      `the message is of ${String(claimed).slice(0, REPEATED_CHARACTERS)} and the MCP-Protocol-Version header says ${said.slice(0, REPEATED_CHARACTERS)}`,
    )
  if (typeof claimed !== 'string' || !isByRequest(claimed)) throw unsupported(String(claimed))
  if (message.id !== undefined) checkRequest(message, headers, said)
  return { name: claimed, isByRequest: true }
}

/** Proxies route by the headers and we serve by the body, so the two have to agree. */
function checkRequest(
  { method, params }: Pick<Request, 'method' | 'params'> | Message,
  headers: Headers,
  said?: string,
) {
  if (!isRecord(metaOf({ params })[CAPABILITIES]))
    throw new RpcError(RPC.invalidParams, `_meta needs ${CAPABILITIES}.`, { status: 400 })
  if (said === undefined) throw mismatch('the MCP-Protocol-Version header is missing')
  if (single(headers['mcp-method']) !== method) throw mismatch(`the Mcp-Method header must be ${method}`)
  if (method === 'tools/call' && decodeHeader(single(headers['mcp-name'])) !== params?.name)
    throw mismatch('the Mcp-Name header must be the name of the tool')
}

const metaOf = ({ params }: { params?: Message['params'] }): Record<string, unknown> =>
  isRecord(params?._meta) ? params._meta : {}
const claimedVersion = (message: Message): unknown => metaOf(message)[VERSION]
const isKnown = (known: readonly string[], revision: string): boolean => known.includes(revision)
const isByRequest = (revision: string): boolean => isKnown(BY_REQUEST, revision)

/** What no header can hold is sent as `=?base64?…?=`. */
function decodeHeader(value: string | undefined): string | undefined {
  const encoded = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value ?? '')?.[1]
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8')
}

const mismatch = (what: string): RpcError =>
  new RpcError(RPC.headerMismatch, `Headers and message disagree: ${what}.`, { status: 400 })

const unsupported = (requested: string): RpcError =>
  new RpcError(
    RPC.unsupportedRevision,
    `This protocol revision is not served here; use one of ${SUPPORTED.join(', ')}.`,
    { status: 400, data: { supported: SUPPORTED, requested: requested.slice(0, REPEATED_CHARACTERS) } },
  )

const single = (value: string | string[] | undefined): string | undefined =>
  (Array.isArray(value) ? value.join(',') : value)?.trim()
