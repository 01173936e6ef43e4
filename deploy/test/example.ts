// What deploy/production.env.example says.
import { readFileSync } from 'node:fs'

export type Line = { readonly name: string; readonly value: string; readonly isDecided: boolean }

const TEXT = readFileSync(new URL('../production.env.example', import.meta.url), 'utf8')

export const exampleLines: readonly Line[] = [...TEXT.matchAll(/^(#?)([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(
  ([, mark, name = '', value = '']) => ({ name, value, isDecided: mark === '' }),
)

/** A deployment as the example has it, with what only its operator can know. */
export function exampleVariables(): Record<string, string> {
  const secrets = {
    DATABASE_URL: 'postgres://cowrie:password@postgres:5432/cowrie',
    SERVICE_SECRET: 'k3Jx9vQ2mZ7pL4wT8rY1nB6cF5hG0dSa',
    SERVICE_SMTP_URL: 'smtp://127.0.0.1:9',
    METRICS_TOKEN: 'pL4wT8rY1nB6cF5hG0dSak3Jx9vQ2mZ7',
    INTERNAL_SECRET: 'B6cF5hG0dSak3Jx9vQ2mZ7pL4wT8rY1n',
  }
  const decided = exampleLines.filter(({ isDecided }) => isDecided).map(({ name, value }) => [name, value])
  return { ...Object.fromEntries(decided), ...secrets }
}
