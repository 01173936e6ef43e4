// What the domain name system says: whether a domain carries the text that shows whose it is.
import { Resolver } from 'node:dns/promises'
import type { App } from '../platform/app.ts'

const TIMEOUT_MS = 5_000
// The answer of a name server that is well and has nothing: any other failure says nothing about the domain.
const ABSENT = new Set(['ENOTFOUND', 'ENODATA'])

export type DnsLookup = { foundAt: string } | { foundAt: null; problem: 'record_missing' | 'dns_unreachable' }

/** Where a domain may carry its text: beside other records, or at a name kept for it. */
export const challengeName = (domain: string): string => `_cowrie-challenge.${domain}`

/** Looks for a TXT record at both names at once. It has to be the whole record. */
export async function findTxtRecord(app: App, domain: string, record: string): Promise<DnsLookup> {
  const names = [challengeName(domain), domain]
  const answers = await Promise.all(names.map((name) => resolveTexts(app, name)))
  const foundAt = names.find((_, i) => answers[i]?.some((text) => text.trim() === record))
  if (foundAt) return { foundAt }
  return { foundAt: null, problem: answers.includes(null) ? 'dns_unreachable' : 'record_missing' }
}

/** The texts at a name; null when no server could say. */
async function resolveTexts(app: App, name: string): Promise<string[] | null> {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 })
  if (app.config.dnsServer) resolver.setServers([app.config.dnsServer])
  try {
    // A long text comes in pieces that belong together.
    return (await resolver.resolveTxt(name)).map((pieces) => pieces.join(''))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (ABSENT.has(code)) return []
    app.log.warn({ err: error, name }, 'sso.dns.lookup_failed')
    return null
  }
}
