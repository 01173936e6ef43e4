// What would give something away if it were sent: keys of services, private keys, passwords in addresses. It is told by file,
// line and kind; the secret itself is never shown.
import type { SentFile } from '../results/result.ts'

export type FoundSecret = { readonly path: string; readonly line: number; readonly kind: string }

type Shape = {
  readonly kind: string
  /** The group `secret` is what must not be known. */
  readonly pattern: RegExp
  /** How mixed its characters are at least, in bits each: what was drawn by lot is, and what somebody typed is not. */
  readonly entropy: number
  readonly isNone?: (secret: string, host: string) => boolean
}

const FOUND_MAX = 100

/** Hashes, identifiers, versions, addresses, words with dashes, names of files. */
const ORDINARY =
  /^[0-9a-f]{32}$|^[0-9a-f]{40}$|^[0-9a-f]{64}$|^[0-9a-f]{8}-[0-9a-f]{4}-|^sha\d+-|^https?|^\d+(\.\d+)+|^[a-z]+([-_.][a-z]+)+\d*$|^[A-Z]+(_[A-Z]+)+\d*$|\.[a-z]{2,5}$|^[A-Z]?[a-z]+([A-Z][a-z]+)+\d*$/
/** This machine, names of a private network, and names that stand for any. */
const NOT_OUTSIDE =
  /^(localhost|127\.|0\.0\.0\.0)|^[\w-]+$|\.(example|test|invalid|local|internal)$|(^|\.)example\.(com|org|net)$/i
const WELL_KNOWN = /^(password|postgres|secret|admin|root|changeme|test|pass|user|guest)\d*$/i

const SHAPES: readonly Shape[] = [
  {
    kind: 'private key',
    pattern:
      /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY(?: BLOCK)?-----(?<secret>(?:\\n|\\r|["'+,\s]|[0-9A-Za-z+/=:-]){100,6000}?)-----END/g,
    entropy: 4,
  },
  { kind: 'payment key', pattern: /\b[sr]k_(?:live|test)_(?<secret>[0-9A-Za-z]{24,})\b/g, entropy: 3 },
  { kind: 'payment key', pattern: /\bFLWSECK(?:_TEST)?-(?<secret>[0-9a-zA-Z]{12,40})/g, entropy: 2.8 },
  { kind: 'Africa’s Talking key', pattern: /\batsk_(?<secret>[0-9a-f]{60,80})\b/g, entropy: 3 },
  {
    kind: 'AWS access key',
    pattern: /(?<![A-Z0-9])(?:AKIA|ASIA)(?<secret>[A-Z2-7]{16})(?![A-Z0-9])/g,
    entropy: 2.9,
  },
  { kind: 'Google API key', pattern: /(?<![\w-])AIza(?<secret>[0-9A-Za-z_-]{35})(?![\w-])/g, entropy: 3.5 },
  {
    kind: 'GitHub token',
    pattern: /(?<![\w-])(?:gh[pousr]_|github_pat_)(?<secret>\w{36,82})(?![\w-])/g,
    entropy: 3.5,
  },
  {
    kind: 'token of a service',
    pattern:
      /(?<![\w-])(?:glpat-|npm_|xox[bpars]-|SG\.|sk-ant-|sk-proj-|sk-|hf_|dop_v1_|shp(?:at|ca|pa|ss)_|csk_)(?<secret>[\w.-]{24,200})/g,
    entropy: 3.4,
    isNone: isOrdinary,
  },
  { kind: 'Azure storage key', pattern: /AccountKey=(?<secret>[0-9A-Za-z+/]{86}==)/g, entropy: 4 },
  {
    kind: 'password in an address',
    pattern:
      /\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|https?):\/\/[^\s:/@"'`<>{}$%]{1,80}:(?<secret>[^\s@/"'`<>{}$%*]{6,200})@(?<host>[\w.-]+)/g,
    entropy: 0,
    isNone: (secret, host) => WELL_KNOWN.test(secret) || NOT_OUTSIDE.test(host),
  },
  {
    kind: 'something that looks like a secret',
    pattern:
      /(?:secret|token|passwd|password|passkey|api_?key|access_?key|private_?key)\w{0,20}["']?\s{0,4}(?::=|=>|[:=])\s{0,4}["'`](?<secret>[0-9A-Za-z_+/=.-]{20,200})["'`]/gi,
    entropy: 3.8,
    isNone: isOrdinary,
  },
  {
    // As in a file of settings: a line of its own, without quotes.
    kind: 'something that looks like a secret',
    pattern:
      /^[ \t]*(?:export )?\w{0,40}(?:SECRET|TOKEN|PASSWD|PASSWORD|PASSKEY|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY)\w{0,20}[ \t]*[=:][ \t]*(?<secret>[0-9A-Za-z_+/=-]{20,200})[ \t]*$/gim,
    entropy: 3.8,
    isNone: isOrdinary,
  },
]

/** In the order of the files and their lines; one for each line. */
export function findSecrets(files: readonly SentFile[]): FoundSecret[] {
  const found: FoundSecret[] = []
  for (const { path, content } of files) {
    const lines = new Map<number, string>()
    for (const shape of SHAPES)
      for (const match of content.matchAll(shape.pattern)) {
        const { secret = '', host = '' } = match.groups ?? {}
        if (isPlaceholder(secret) || entropyOf(secret) < shape.entropy || shape.isNone?.(secret, host))
          continue
        const line = lineOf(content, match.index)
        if (!lines.has(line)) lines.set(line, shape.kind)
      }
    for (const [line, kind] of [...lines].sort(([a], [b]) => a - b)) found.push({ path, line, kind })
    if (found.length >= FOUND_MAX) return found.slice(0, FOUND_MAX)
  }
  return found
}

function isOrdinary(secret: string): boolean {
  return !/\d/.test(secret) || !/[a-z]/i.test(secret) || ORDINARY.test(secret)
}

/** What somebody writes to show where a secret goes. */
const isPlaceholder = (text: string): boolean =>
  /example|placeholder|sample|dummy|change[-_]?me|your[-_]?|insert|replace|redacted|fake|mock|foobar|lorem|xxxx|\*\*\*|\.\.\.|deadbeef|test[-_]?key|my[-_]?secret/i.test(
    text,
  ) ||
  /0123456|1234567|abcdefg|qwerty|987654/i.test(text) ||
  /(.)\1{5}|(.{2,8})\2{3}/.test(text)

/** Bits per character, by how often each occurs. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}

const lineOf = (text: string, index: number): number => text.slice(0, index).split('\n').length
