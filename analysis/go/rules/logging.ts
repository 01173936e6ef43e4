import type { Expr } from '../../ir.ts'
import type { CallEvent, Hit, Rule } from '../../rule.ts'

/** Rules about logged secrets. */
export const loggedSecret: Rule = {
  id: 'GO-LOG-01',
  title: 'A secret is logged',
  cwe: 532,
  severity: 'warn',
  confidence: 'medium',
  languages: ['go'],
  message:
    'A password or key is logged in plain text. Logs are copied, kept for years and read by more people than the database.',
  fix: 'Leave it out, or log the owner instead.',
  on: { call: findSecret },
}

const LOGS = /^(log|log\/slog|github\.com\/(sirupsen\/logrus|rs\/zerolog\/log))\./
const METHODS =
  /^(Print|Printf|Println|Fatal|Fatalf|Fatalln|Panic|Panicf|Info|Infof|Debug|Debugf|Warn|Warnf|Error|Errorf)$/
const SECRET =
  /^(user|new|old|plain|raw|client|admin|db)?_?(password|passwd|passphrase|secret|secretkey|apikey|api_key|accesstoken|privatekey|clientsecret|cvv|cardnumber)$/i

function findSecret(event: CallEvent): Hit | undefined {
  if (!METHODS.test(event.method) || !LOGS.test(event.name)) return undefined
  const secret = event.args.find(({ expr, value }) => SECRET.test(nameOf(expr)) && value.known === undefined)
  return secret ? { at: event.expr.at } : undefined
}

function nameOf(expr: Expr): string {
  if (expr.kind === 'same') return nameOf(expr.value)
  if (expr.kind === 'member') return expr.property
  return expr.kind === 'name' ? expr.name : ''
}
