// Fixes that need no model: small rewrites of the statement of a finding. Each is only a proposal: it is published if the finding
// disappears and the project's tests pass.
import type { Finding } from '@cowrie/analysis/report/finding.ts'
import type { Fix } from './apply-fix.ts'
import { parametrizeStatement } from './parametrize-sql.ts'

type Rewrite = { readonly rules: RegExp; readonly from: RegExp; readonly to: string }

const REWRITES: readonly Rewrite[] = [
  { rules: /^JS-TLS/, from: /\brejectUnauthorized(\s*:\s*)false\b/g, to: 'rejectUnauthorized$1true' },
  { rules: /^PY-TLS/, from: /\bverify(\s*=\s*)False\b/g, to: 'verify$1True' },
  { rules: /^GO-TLS/, from: /\bInsecureSkipVerify(\s*:\s*)true\b/g, to: 'InsecureSkipVerify$1false' },
  { rules: /^PH-TLS/, from: /\b(CURLOPT_SSL_VERIFYPEER\s*(?:,|=>)\s*)(?:false|0)\b/gi, to: '$1true' },
  { rules: /^PH-TLS/, from: /\b(CURLOPT_SSL_VERIFYHOST\s*(?:,|=>)\s*)(?:false|0|1)\b/gi, to: '$12' },
  {
    rules: /^PY-DESER/,
    from: /\byaml\.(?:load|unsafe_load|full_load)\(([^(),]*(?:\([^()]*\))?)(?:,\s*(?:Loader\s*=\s*)?yaml\.\w+)?\)/g,
    to: 'yaml.safe_load($1)',
  },
  { rules: /^PY-DEBUG/, from: /\bdebug(\s*=\s*)True\b/gi, to: 'debug$1False' },
  { rules: /^(?:JS)-COOKIE/, from: /\b(httpOnly|secure)(\s*:\s*)false\b/g, to: '$1$2true' },
  { rules: /^PY-COOKIE/, from: /\b(httponly|secure)(\s*=\s*)False\b/g, to: '$1$2True' },
  { rules: /^GO-COOKIE/, from: /\b(HttpOnly|Secure)(\s*:\s*)false\b/g, to: '$1$2true' },
  { rules: /^JS-CRYPTO/, from: /\bcreateHash\((['"`])(?:md5|sha1)\1\)/gi, to: 'createHash($1sha256$1)' },
  { rules: /^PY-HASH/, from: /\bhashlib\.(?:md5|sha1)\(/g, to: 'hashlib.sha256(' },
  { rules: /^JV-HASH/, from: /\bgetInstance\("(?:MD5|SHA-?1)"\)/gi, to: 'getInstance("SHA-256")' },
  {
    rules: /^PY-PATH/,
    from: /\.extractall\(([^()]*[^()\s,][^()]*)\)/g,
    to: '.extractall($1, filter="data")',
  },
  { rules: /^PY-PATH/, from: /\.extractall\(\s*\)/g, to: '.extractall(filter="data")' },
]

/** Longer statements are not worth a comment. */
const STATEMENT_MAX = 4_000

/** The proposals for a finding, the best first. */
export function proposeFixes(finding: Finding, content: string): Fix[] {
  const startLine = Math.min(finding.startLine, finding.line)
  const endLine = Math.max(finding.endLine, finding.line)
  const statement = content
    .split('\n')
    .slice(startLine - 1, endLine)
    .join('\n')
  if (statement.length > STATEMENT_MAX) return []
  const rewritten = [
    ...REWRITES.filter(({ rules }) => rules.test(finding.ruleId)).map(({ from, to }) =>
      statement.replaceAll(from, to),
    ),
    ...(/-SQL-/.test(finding.ruleId) ? [parametrizeStatement(statement, content, finding.path)] : []),
  ]
  return rewritten
    .filter((text): text is string => text !== null && text !== statement)
    .map((text) => narrow(statement, text, startLine))
}

/** Leaves out equal lines at the beginning and the end, so that the suggestion shows only changed lines. */
function narrow(before: string, after: string, startLine: number): Fix {
  const [older, newer] = [before.split('\n'), after.split('\n')]
  const shorter = Math.min(older.length, newer.length)
  let head = 0
  while (head < shorter - 1 && older[head] === newer[head]) head++
  let tail = 0
  while (tail < shorter - 1 - head && older.at(-1 - tail) === newer.at(-1 - tail)) tail++
  return {
    startLine: startLine + head,
    endLine: startLine + older.length - 1 - tail,
    replacement: newer.slice(head, newer.length - tail).join('\n'),
  }
}
