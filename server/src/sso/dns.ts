// DNS lookups that verify the ownership of a domain.
import { Resolver } from 'node:dns/promises'
import type { App } from '../platform/app.ts'

const TIMEOUT_MS = 5_000
// A working name server has no such record. Any other failure leaves the domain undecided.
const ABSENT = new Set(['ENOTFOUND', 'ENODATA'])

export type DnsLookup = { foundAt: string } | { foundAt: null; problem: 'record_missing' | 'dns_unreachable' }

/** The dedicated name for the record; the domain itself works too. */
export const challengeName = (domain: string): string => `_cowrie-challenge.${domain}`

/** Looks for a TXT record at both names. The whole record must match. */
export async function findTxtRecord(app: App, domain: string, record: string): Promise<DnsLookup> {
  const names = [challengeName(domain), domain]
  const answers = await Promise.all(names.map((name) => resolveTexts(app, name)))
  const foundAt = names.find((_, i) => answers[i]?.some((text) => text.trim() === record))
  if (foundAt) return { foundAt }
  return { foundAt: null, problem: answers.includes(null) ? 'dns_unreachable' : 'record_missing' }
}

/** The TXT records of a name; null when the lookup failed. */
async function resolveTexts(app: App, name: string): Promise<string[] | null> {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 })
  if (app.config.dnsServer) resolver.setServers([app.config.dnsServer])
  try {
    // DNS splits long texts into chunks.
    return (await resolver.resolveTxt(name)).map((pieces) => pieces.join(''))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (ABSENT.has(code)) return []
    app.log.warn({ err: error, name }, 'sso.dns.lookup_failed')
    return null
  }
}
