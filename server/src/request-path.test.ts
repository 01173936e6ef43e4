// A request passes few files on its way from the socket to its table, so that a reader can follow it.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSources, type Source } from '../test/sources.ts'

const sources = new Map(readSources(import.meta.dirname).map((source) => [source.path, source]))
/** Reads the request, checks it and calls the handler of the route. */
const SOCKET = 'platform/http/exchange/serve.ts'
const FILES_MAX = 4

test.for([
  ['keys.create', 'api_keys'],
  ['me.sessions.list', 'sessions'],
  ['kyc.submit', 'kyc_records'],
  ['wallet.ledger', 'movements'],
  ['invoices.list', 'invoices'],
  ['subscription.get', 'subscriptions'],
  ['hooks.endpoints.create', 'hook_endpoints'],
  ['chat.threads.list', 'chat_threads'],
  ['projects.list', 'projects'],
  ['review.findings.list', 'review_findings'],
] as const)('%s reaches the table %s within four files', ([id, table]) => {
  const path = pathTo(id, table)
  expect(path, `no way from the handler of ${id} to ${table}`).not.toBeNull()
  expect(path?.length, path?.join(' → ')).toBeLessThanOrEqual(FILES_MAX)
})

/** The shortest way: the exchange, the routes file, the handler's file, and the files that it imports. */
function pathTo(id: string, table: string): string[] | null {
  const routes = [...sources.values()].find(({ text }) => text.includes(`route('${id}',`))
  const handler = routes && handlerFile(routes, id)
  if (!handler) return null
  let ways = [[SOCKET, routes.path, handler]]
  for (let depth = 0; depth < 3; depth++) {
    const found = ways.find((way) => namesTable(sources.get(way.at(-1) ?? ''), table))
    if (found) return found
    ways = ways.flatMap((way) =>
      (sources.get(way.at(-1) ?? '')?.imports ?? []).map((each) => [...way, each.path]),
    )
  }
  return null
}

/** The file of the function that `handle` calls. */
function handlerFile({ path, text, imports }: Source, id: string): string | undefined {
  const description = text.slice(text.indexOf(`route('${id}',`))
  const name = /handle:[^=]*=>\s*(?:\{\s*return\s+)?(?:await\s+)?(\w+)/.exec(description)?.[1] ?? ''
  const isImported = new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from '([^']+)'`).exec(text)?.[1]
  if (isImported === undefined) return path
  const file = join(path, '..', isImported)
  return imports.some((each) => each.path === file) ? file : undefined
}

const namesTable = (source: Source | undefined, table: string): boolean =>
  source?.tokens.some(
    ({ kind, text }) =>
      kind === 'template' && new RegExp(`\\b(from|into|update|join) ${table}\\b`).test(text),
  ) ?? false
