// Lists the tools that the key of the caller may use, with their schemas and current prices.
import { fromJson } from '../../kernel/json.ts'
import { format, money } from '../../kernel/money.ts'
import type { Route } from '../../platform/http/route.ts'
import { type Caller, callOperation, mayCall } from '../caller.ts'
import { isRecord } from '../message.ts'
import type { Operations } from './call.ts'
import { inputSchema, outputSchema } from './json-schema.ts'
import { KEY, MAX_COST, type Price, type Tool } from './tool.ts'
import { tools } from './tools.ts'

/** The caller-independent part of a tool. Schemas are generated on first use, to keep startup fast. */
type ToolOffer = { readonly tool: Tool; readonly route: Route; readonly schemas: () => object }

export function createOffers(operations: Operations): readonly ToolOffer[] {
  return tools.map((tool) => {
    const route = operations.get(tool.operation)
    if (!route) throw new Error(`${tool.name} names an unknown operation: ${tool.operation}`)
    let printed: object | undefined
    const print = () => ({ inputSchema: inputSchema(tool, route), outputSchema: outputSchema(tool, route) })
    return { tool, route, schemas: () => (printed ??= print()) }
  })
}

export async function listTools(
  caller: Caller,
  offers: readonly ToolOffer[],
  operations: Operations,
): Promise<object[]> {
  const allowed = offers.filter(({ route }) => mayCall(caller, route))
  return Promise.all(
    allowed.map(async ({ tool, schemas }) => ({
      name: tool.name,
      title: tool.title,
      description: `${tool.description} ${await describePrice(caller, tool.price, operations)}`,
      ...schemas(),
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

const EACH_CALL = `Each call is new work with a new charge, even with the same arguments. To retry a call whose reply was lost, pass the same \`${KEY}\` in both calls; it is run and charged once.`

async function describePrice(
  caller: Caller,
  price: Price | undefined,
  operations: Operations,
): Promise<string> {
  if (!price) return 'Free.'
  const limit = `Costs money, at most \`${MAX_COST}\`. ${EACH_CALL}`
  const route = operations.get(price.quotedBy)
  if (!route) return limit
  const { currency } = caller.actor.org
  const toText = (minor: unknown) =>
    typeof minor === 'bigint' ? format(money(minor, currency)) : 'an unknown amount'
  if (!price.example) return `${limit} ${price.describe({}, toText)}`
  const body = price.quoteBody?.(price.example)
  const answer = await callOperation(caller, route, { path: route.path, body, signal: caller.request.gone })
  const quote = fromJson(await answer.text())
  if (answer.status >= 400 || !isRecord(quote)) return `${limit} Its price is not available at the moment.`
  return `${limit} ${price.describe(quote, toText)}`
}
