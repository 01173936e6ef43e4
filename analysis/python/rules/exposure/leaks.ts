// Rules about logged secrets and temporary files.
import { isCall } from '../../../engine/name-patterns.ts'
import type { Expr } from '../../../ir.ts'
import type { Rule } from '../../../rule.ts'

export const loggedSecret: Rule = {
  id: 'PY-LOG-01',
  title: 'A secret is logged',
  cwe: 532,
  severity: 'warn',
  confidence: 'medium',
  languages: ['python'],
  message: 'Logs are copied, searched and kept. Everyone who can read them sees the password or key.',
  fix: 'Log the user and the action, not the secret. To tell secrets apart, log the last four characters or a hash.',
  on: {
    call(event) {
      if (!LEVELS.has(event.method) || event.receiver === null) return undefined
      const written = event.source(event.expr.callee.at)
      if (!/(?:^|[._])(?:log|logger|logging|LOG|LOGGER)\.\w+$/.test(written)) return undefined
      const isSecret = event.args.some(({ expr }) => secretsIn(expr).some((name) => SECRET.test(name)))
      return isSecret ? { at: event.expr.at } : undefined
    },
  },
}

const LEVELS = new Set(['debug', 'info', 'warning', 'warn', 'error', 'critical', 'exception', 'log'])
const SECRET =
  /^(?:user_?)?(?:password|passwd|passphrase|secret_key|private_key|api_key|apikey|access_token|refresh_token|auth_token|client_secret|cvv|credit_card_number|card_number)$/i

/** The names whose values are logged directly, not inside another call. */
function secretsIn(expr: Expr): string[] {
  switch (expr.kind) {
    case 'name':
      return [expr.name]
    case 'member':
      return [expr.property]
    case 'index':
      return expr.key.kind === 'literal' && !expr.isSlice ? [String(expr.key.value)] : []
    case 'template':
      return expr.parts.flatMap(secretsIn)
    case 'binary':
      return expr.operator === '+' ? [...secretsIn(expr.left), ...secretsIn(expr.right)] : []
    case 'call':
      return expr.callee.kind === 'member' && expr.callee.property === 'format'
        ? expr.args.flatMap(({ value }) => secretsIn(value))
        : []
    default:
      return []
  }
}

export const temporary: Rule = {
  id: 'PY-TMP-01',
  title: 'A temporary file can be replaced by another user',
  cwe: 377,
  severity: 'warn',
  confidence: 'high',
  languages: ['python'],
  message: 'Between choosing the name and creating the file, another user can create a link there.',
  fix: 'Use `tempfile.NamedTemporaryFile` or `tempfile.mkstemp`, which create the file together with its name.',
  on: {
    call: (event) =>
      isCall(event, 'tempfile.mktemp', 'os.tempnam', 'os.tmpnam') ? { at: event.expr.at } : undefined,
  },
}
