// The list of tools for a caller: those that their key may use, each with its shapes and its price of now.
import { fromJson } from '../../kernel/json.ts'
import { format, money } from '../../kernel/money.ts'
import type { Route } from '../../platform/http/route.ts'
import { type Caller, callOperation, mayCall } from '../caller.ts'
import { isRecord } from '../message.ts'
import type { Operations } from './call.ts'
import { inputSchema, outputSchema } from './json-schema.ts'
import { KEY, MAX_COST, type Price, type Tool } from './tool.ts'
import { tools } from './tools.ts'

/** What of a tool is the same for everyone. Its shapes are printed for the first who asks: a start is waited for. */
type ToolOffer = { readonly tool: Tool; readonly route: Route; readonly shapes: () => object }

export function createOffers(operations: Operations): readonly ToolOffer[] {
  return tools.map((tool) => {
    const route = operations.get(tool.operation)
    if (!route) throw new Error(`${tool.name} names an operation that there is not: ${tool.operation}`)
    let printed: object | undefined
    const print = () => ({ inputSchema: inputSchema(tool, route), outputSchema: outputSchema(tool, route) })
    return { tool, route, shapes: () => (printed ??= print()) }
  })
}

export async function listTools(
  caller: Caller,
  offers: readonly ToolOffer[],
  operations: Operations,
): Promise<object[]> {
  const mine = offers.filter(({ route }) => mayCall(caller, route))
  return Promise.all(
    mine.map(async ({ tool, shapes }) => ({
      name: tool.name,
      title: tool.title,
      description: `${tool.description} ${await describePrice(caller, tool.price, operations)}`,
      ...shapes(),
      annotations: {
        title: tool.title,
        readOnlyHint: tool.isReadOnly,
        destructiveHint: false,
        idempotentHint: tool.isReadOnly || tool.isIdempotent === true,
        openWorldHint: tool.isOpenWorld === true,
      },
    })),
  )
}

const EACH_CALL = `Each call is new work with its own charge, also with the same arguments; to repeat a call whose answer was lost, pass the same \`${KEY}\` both times, and it is done and charged once.`

async function describePrice(
  caller: Caller,
  price: Price | undefined,
  operations: Operations,
): Promise<string> {
  if (!price) return 'Free.'
  const bound = `Costs money, and never more than \`${MAX_COST}\`. ${EACH_CALL}`
  const route = operations.get(price.quotedBy)
  if (!route) return bound
  const body = price.quoteBody?.(price.example)
  const answer = await callOperation(caller, route, { path: route.path, body, signal: caller.request.gone })
  const quote = fromJson(await answer.text())
  if (answer.status >= 400 || !isRecord(quote)) return `${bound} Its price cannot be told right now.`
  const { currency } = caller.actor.org
  const words = (minor: unknown) =>
    typeof minor === 'bigint' ? format(money(minor, currency)) : 'an unknown amount'
  return `${bound} ${price.describe(quote, words)}`
}
