// Rules about logged secrets.
import type { Expr } from '../../../ir.ts'
import type { CallEvent, Rule } from '../../../rule.ts'

export const SECRET =
  /^(get|the|user|new|old|plain|raw|db|my)?_?(password|passwd|pwd|passphrase|secret_?key|client_?secret|api_?key|private_?key|access_?token|cvv|card_?number)$/i

export const loggedSecret: Rule = {
  id: 'JV-LOG-01',
  title: 'A secret is logged',
  cwe: 532,
  severity: 'warn',
  confidence: 'medium',
  languages: ['java'],
  message:
    'A password or key is written to the log. Logs are kept, copied and read by people who must not know it.',
  fix: 'Leave it out, or log only that it was present.',
  on: {
    call(event) {
      if (!isLog(event)) return undefined
      const found = event.args.flatMap(({ expr }) => namesIn(expr)).find(({ name }) => SECRET.test(name))
      return found ? { at: event.expr.at, detail: `\`${found.name}\` is logged.` } : undefined
    },
  },
}

const isLog = ({ method, expr, source }: CallEvent): boolean =>
  (/^(trace|debug|info|warn|error|fatal|severe|warning|fine)$/.test(method) &&
    /\blog(ger)?\b/i.test(source(expr.callee.at).split('.').at(-2) ?? '')) ||
  (/^print(ln|f)?$/.test(method) && /^(System\.(out|err)\.|print(ln)?$)/.test(source(expr.callee.at)))

/** The values inserted directly. A call hides its arguments, but a getter returns what its name says. */
export function namesIn(expr: Expr): { name: string }[] {
  switch (expr.kind) {
    case 'name':
      return [{ name: expr.name }]
    case 'member':
      return [{ name: expr.property }]
    case 'binary':
      return expr.operator === '+' ? [...namesIn(expr.left), ...namesIn(expr.right)] : []
    case 'template':
      return expr.parts.flatMap(namesIn)
    case 'call':
      return expr.args.length === 0 && expr.callee.kind === 'member' && /^get/.test(expr.callee.property)
        ? [{ name: expr.callee.property }]
        : []
    default:
      return []
  }
}
