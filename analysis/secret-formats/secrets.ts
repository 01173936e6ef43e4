// Finds secrets in texts and recognizes files that hold secrets.
import type { SecretPattern } from './format.ts'
import { SECRET_PATTERNS } from './patterns.ts'

export { SECRET_PATTERNS, type SecretPattern }

export type FoundSecret = {
  readonly pattern: SecretPattern
  /** The range of the secret part only. */
  readonly start: number
  readonly end: number
}

/** Words that many texts contain. */
const COMMON_WORDS = new Set(
  'secret token passw key api private consumer passkey passphrase pwd sk . ://'.split(' '),
)
const RARE_PATTERNS = new Set(
  SECRET_PATTERNS.filter(({ words }) => !words.some((word) => COMMON_WORDS.has(word))),
)
/** One search for all rare words: most texts have none of them, and a search for each word takes most of the time. */
const RARE_WORD = new RegExp(
  [...RARE_PATTERNS]
    .flatMap(({ words }) => words)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
    .join('|'),
)

/** All secrets, in text order. */
export function findSecrets(
  text: string,
  patterns: readonly SecretPattern[] = SECRET_PATTERNS,
): FoundSecret[] {
  const lower = text.toLowerCase()
  const hasRareWord = RARE_WORD.test(lower)
  let found: FoundSecret[] = []
  for (const pattern of patterns) {
    if (!hasRareWord && RARE_PATTERNS.has(pattern)) continue
    if (!pattern.words.some((word) => lower.includes(word))) continue
    const matches = matchesOf(pattern, text)
    if (matches.length > 0) found = merged(found, matches)
  }
  return found
}

function matchesOf(pattern: SecretPattern, text: string): FoundSecret[] {
  const found: FoundSecret[] = []
  for (const match of text.matchAll(pattern.pattern)) {
    const secret = match.groups?.secret ?? ''
    const start = match.index + match[0].indexOf(secret)
    if (secret !== '' && pattern.isReal(secret, match))
      found.push({ pattern, start, end: start + secret.length })
  }
  return found
}

/** Merges two lists in text order. A later match that overlaps an earlier one is dropped. */
function merged(first: readonly FoundSecret[], second: readonly FoundSecret[]): FoundSecret[] {
  const all: FoundSecret[] = []
  let at = 0
  for (const each of second) {
    for (let next = first[at]; next && next.start < each.start; next = first[++at]) all.push(next)
    const isFree = (all.at(-1)?.end ?? 0) <= each.start && (first[at]?.start ?? Infinity) >= each.end
    if (isFree) all.push(each)
  }
  return [...all, ...first.slice(at)]
}

export type SecretSpan = {
  readonly start: number
  readonly end: number
  /** The line of the start, from 1. */
  readonly line: number
  /** The kind of secret, never its value. */
  readonly reason: string
}

/** All secrets as plain data, in text order. */
export function secretSpans(text: string): SecretSpan[] {
  let line = 1
  let at = 0
  return findSecrets(text).map(({ start, end, pattern }) => {
    for (let next = text.indexOf('\n', at); next !== -1 && next < start; next = text.indexOf('\n', at)) {
      line += 1
      at = next + 1
    }
    return { start, end, line, reason: pattern.title }
  })
}

/** One entry for each line with a secret. */
export function secretLines(text: string): Pick<SecretSpan, 'line' | 'reason'>[] {
  const reasons = new Map<number, string>()
  for (const { line, reason } of secretSpans(text)) if (!reasons.has(line)) reasons.set(line, reason)
  return [...reasons].map(([line, reason]) => ({ line, reason }))
}

/**
 * Matches everything that starts like a known token. It masks too much rather than too little, for logs and
 * excerpts.
 */
export const TOKEN_PREFIXES: string = [
  ...new Set(SECRET_PATTERNS.flatMap(({ prefix }) => prefix ?? [])),
].join('|')

export const SECRET_FILE_REASON = 'file that holds secrets'

const SECRET_NAME = new RegExp(
  [
    String.raw`^\.env(?:rc|[._-].*)?$`,
    String.raw`\.env$`,
    String.raw`^[._]?(?:npmrc|yarnrc\.yml|netrc|pypirc|pgpass|my\.cnf|htpasswd|git-credentials|vault-token|dockercfg|s3cfg|boto|terraformrc)$`,
    String.raw`^\.\w+_history$`,
    '^id_(?:rsa|dsa|ecdsa|ed25519)(?![a-z0-9])',
    String.raw`\.(?:pem|key|p12|pfx|p8|pkcs12|jks|keystore|kdbx?|ppk|asc|gpg|ovpn|tfstate|tfvars)$`,
    String.raw`\.tfstate\.backup$|\.tfvars\.json$`,
    '^credentials$',
    String.raw`^(?:credentials|service[-_]?account.*|google[-_]?services|client[-_]?secrets?.*|firebase-adminsdk.*)\.json$`,
    String.raw`^(?:secrets?|credentials)\.(?:ya?ml|json|toml|ini|txt|env|properties)$`,
  ].join('|'),
)
const EXAMPLE_NAME = /[._-](?:example|sample|template|tmpl|dist|defaults?)$/
const SECRET_FOLDERS = new Set(['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.gcloud'])

/**
 * Whether the file name shows that it holds secrets, such as `.env` or a private key. The content does not
 * matter.
 */
export function isSecretFile(path: string): boolean {
  const folders = path.toLowerCase().split('/')
  const name = folders.pop() ?? ''
  if (folders.some((folder) => SECRET_FOLDERS.has(folder))) return true
  return SECRET_NAME.test(name) && !EXAMPLE_NAME.test(name)
}
