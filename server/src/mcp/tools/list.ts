// The list of tools for a caller: those that their key may use, each with its shapes and its price of now.
import { fromJson } from '../../kernel/json.ts'
import { format, money } from '../../kernel/money.ts'
import type { Route } from '../../platform/http/route.ts'
import { ask, type Caller, mayCall } from '../caller.ts'
import { isRecord } from '../message.ts'
import type { Operations } from './call.ts'
import { inputSchema, outputSchema } from './json-schema.ts'
import { KEY, MAX_COST, type Price, type Tool } from './tool.ts'
import { tools } from './tools.ts'

/** What of a tool is the same for everyone. Its shapes are printed for the first who asks: a start is waited for. */
type Offered = { readonly tool: Tool; readonly route: Route; readonly shapes: () => object }

export function offersOf(operations: Operations): readonly Offered[] {
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
  offers: readonly Offered[],
  operations: Operations,
): Promise<object[]> {
  const mine = offers.filter(({ route }) => mayCall(caller, route))
  return Promise.all(
    mine.map(async ({ tool, shapes }) => ({
      name: tool.name,
      title: tool.title,
      description: `${tool.description} ${await priceOf(caller, tool.price, operations)}`,
      ...shapes(),
      annotations: {
        title: tool.title,
        readOnlyHint: tool.isReading,
        destructiveHint: false,
        idempotentHint: tool.isReading || tool.isIdempotent === true,
        openWorldHint: tool.isOpenWorld === true,
      },
    })),
  )
}

const EACH_CALL = `Each call is new work with its own charge, also with the same arguments; to repeat a call whose answer was lost, pass the same \`${KEY}\` both times, and it is done and charged once.`

async function priceOf(caller: Caller, price: Price | undefined, operations: Operations): Promise<string> {
  if (!price) return 'Free.'
  const bound = `Costs money, and never more than \`${MAX_COST}\`. ${EACH_CALL}`
  const route = operations.get(price.quotedBy)
  if (!route) return bound
  const body = price.quoteOf?.(price.example)
  const answer = await ask(caller, route, { path: route.path, body, signal: caller.request.gone })
  const quote = fromJson(await answer.text())
  if (answer.status >= 400 || !isRecord(quote)) return `${bound} Its price cannot be told right now.`
  const { currency } = caller.actor.org
  const words = (minor: unknown) =>
    typeof minor === 'bigint' ? format(money(minor, currency)) : 'an unknown amount'
  return `${bound} ${price.inWords(quote, words)}`
}
