// Calls a tool: turns its arguments into a request to the API operation, and the reply into a tool result.
import { fromJson, toJson } from '../../kernel/json.ts'
import { format, money } from '../../kernel/money.ts'
import type { InternalResponse } from '../../platform/http/internal-client.ts'
import { paramNames, type Route } from '../../platform/http/route.ts'
import { type Caller, callOperation, deriveKey } from '../caller.ts'
import { isRecord, type RequestId, RPC, RpcError } from '../message.ts'
import { type Arguments, KEY, MAX_COST, type Reply, type Tool } from './tool.ts'
import { maxCostRequired, type ToolResult, toToolError } from './tool-errors.ts'

export type Operations = ReadonlyMap<string, Route>

export type ToolCall = {
  readonly tool: Tool
  readonly route: Route
  readonly operations: Operations
  readonly id: RequestId
  readonly given: Arguments
  readonly signal: AbortSignal
  /** Sends a progress message, if the client requested progress. */
  readonly reportProgress: (message: string) => void
  /** Receives the idempotency key in use, so that an interrupted client can retry with it. */
  readonly onKey: (key: string) => void
}

// A stored refusal charged nothing, so the call may be tried again with a new derived key, for example after a top-up.
const KEYS_MAX = 5

export async function callTool(caller: Caller, call: ToolCall): Promise<ToolResult> {
  const { tool, route, given } = call
  if (tool.price && given[MAX_COST] === undefined) return replyWithPrice(caller, call)
  const key = keyFrom(given)
  if (route.idempotency === 'none') return (await callOnce(caller, call, undefined)).result
  if (key !== undefined) return (await callOnce(caller, call, key)).result
  for (let round = 0; ; round++) {
    const { id } = call
    const derived = deriveKey(caller, { id, tool: tool.name, given, round })
    const { result, isReplayed } = await callOnce(caller, call, derived)
    if (!result.isError || !isReplayed || round === KEYS_MAX - 1) return result
  }
}

type Outcome = { result: ToolResult; isReplayed: boolean }

async function callOnce(caller: Caller, call: ToolCall, key: string | undefined): Promise<Outcome> {
  const { route, signal } = call
  if (key !== undefined) call.onKey(key)
  const answer = await callOperation(caller, route, {
    ...requestOf(call),
    ...(key !== undefined && { key }),
    signal,
  })
  const isReplayed = answer.headers['idempotency-replayed'] === 'true'
  const body = answer.isStream ? await lastFrame(answer, call) : fromJson(await answer.text())
  // The last frame of a failed stream is an error without a result.
  const isRefused = answer.status >= 400 || !isRecord(body) || (answer.isStream && !('result' in body))
  const result = isRefused
    ? toToolError(caller, renameFields(call, body), isReplayed)
    : await toToolResult(caller, call, body, isReplayed)
  return { result, isReplayed }
}

function requestOf({ tool, route, given }: ToolCall): { path: string; body: object | undefined } {
  const { [KEY]: _key, [MAX_COST]: maxCost, ...others } = given
  const rest: Record<string, unknown> = { ...others }
  for (const name of tool.hiddenFields ?? []) delete rest[name]
  if (tool.price && maxCost !== undefined) rest[tool.price.limitField] = maxCost
  const path = fillPath(tool, route, given)
  for (const name of paramNames(route.path)) delete rest[name]
  if (route.body) return { path, body: rest }
  return { path: withQuery(path, rest), body: undefined }
}

function fillPath(tool: Tool, route: Route, given: Arguments): string {
  return paramNames(route.path).reduce((path, name) => {
    const value = given[name]
    // Dot segments would change the path.
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value))
      throw new RpcError(RPC.invalidParams, `${tool.name} needs "${name}", a string other than "." or "..".`)
    return path.replace(`{${name}}`, () => encodeURIComponent(value))
  }, route.path)
}

function withQuery(path: string, given: Arguments): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null) continue
    if (!['string', 'number', 'bigint', 'boolean'].includes(typeof value))
      throw new RpcError(RPC.invalidParams, `"${name}" must be a string, a number or a boolean.`)
    query.set(name, String(value))
  }
  return query.size > 0 ? `${path}?${query}` : path
}

/** Validation errors name the arguments of the tool, which has neither a query nor the limit field of the operation. */
function renameFields({ tool: { price } }: ToolCall, body: unknown): unknown {
  if (!isRecord(body) || !Array.isArray(body.fields)) return body
  const fields = body.fields.map((field) => {
    if (!isRecord(field) || typeof field.path !== 'string') return field
    const path = field.path === price?.limitField ? MAX_COST : field.path.replace(/^query\./, '')
    return { ...field, path }
  })
  return { ...body, fields }
}

function keyFrom({ [KEY]: key }: Arguments): string | undefined {
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(key))
    throw new RpcError(RPC.invalidParams, `${KEY} must be 1 to 200 visible ASCII characters.`)
  return key
}

async function lastFrame(answer: InternalResponse, { tool, reportProgress }: ToolCall): Promise<unknown> {
  let last: unknown
  for await (const frame of answer.frames()) {
    last = frame
    const message = isRecord(frame) ? tool.progress?.(frame) : null
    if (message) reportProgress(message)
  }
  return last
}

async function toToolResult(
  caller: Caller,
  call: ToolCall,
  reply: Reply,
  isReplayed: boolean,
): Promise<ToolResult> {
  const { tool, signal } = call
  const fetchText = async (path: string) => {
    const answer = await callOperation(caller, { method: 'GET' }, { path, signal })
    const text = await answer.text()
    return answer.status === 200 ? text : null
  }
  const short = tool.shorten?.(reply) ?? reply
  const fields = tool.replyFields
    ? Object.fromEntries(tool.replyFields.map((name) => [name, short[name]]))
    : short
  const facts: Reply = {
    ...fields,
    ...(tool.extra && (await tool.extra.read(reply, fetchText))),
    ...(tool.price && chargeFields(reply, isReplayed)),
  }
  const cost = tool.price ? describeCost(caller, facts) : null
  return {
    content: [
      { type: 'text', text: toJson(facts) },
      ...(cost ? [{ type: 'text' as const, text: cost }] : []),
    ],
    structuredContent: facts,
  }
}

const chargeFields = ({ id, turnId = id, costMinor, totalCostMinor }: Reply, isReplayed: boolean): Reply => ({
  ...(costMinor === undefined && totalCostMinor !== undefined && { costMinor: totalCostMinor }),
  ledgerRef: String(turnId),
  replayed: isReplayed,
})

function describeCost(
  caller: Caller,
  { costMinor, balanceMinor, ledgerRef, replayed }: Reply,
): string | null {
  const { currency } = caller.actor.org
  const lines: string[] = []
  if (typeof costMinor === 'bigint' && typeof balanceMinor === 'bigint')
    lines.push(
      `Cost ${format(money(costMinor, currency))} · Balance ${format(money(balanceMinor, currency))} · ${ledgerRef}`,
    )
  if (replayed)
    lines.push(
      `This is the stored result of an identical earlier request; nothing was charged again. Pass another ${KEY} to run it again.`,
    )
  return lines.length > 0 ? lines.join('\n') : null
}

async function replyWithPrice(
  caller: Caller,
  { tool, operations, given, signal }: ToolCall,
): Promise<ToolResult> {
  const { price } = tool
  const route = price ? operations.get(price.quotedBy) : undefined
  if (!price || !route) return maxCostRequired(caller, null)
  const answer = await callOperation(caller, route, {
    path: fillPath(tool, route, given),
    body: price.quoteBody?.(given),
    signal,
  })
  const quote = fromJson(await answer.text())
  if (answer.status >= 400 || !isRecord(quote)) return toToolError(caller, quote)
  return maxCostRequired(caller, price.selectQuote ? price.selectQuote(quote, given) : quote)
}
