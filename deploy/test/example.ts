// Parses deploy/production.env.example.
import { readFileSync } from 'node:fs'

/** `isSet`: the line has no leading `#`, so the operator must choose a value. */
export type ExampleLine = { readonly name: string; readonly value: string; readonly isSet: boolean }

const TEXT = readFileSync(new URL('../production.env.example', import.meta.url), 'utf8')

export const exampleLines: readonly ExampleLine[] = [...TEXT.matchAll(/^(#?)([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(
  ([, mark, name = '', value = '']) => ({ name, value, isSet: mark === '' }),
)

/** The variables of the example, with secrets that an operator would choose. */
export function exampleVariables(): Record<string, string> {
  const secrets = {
    DATABASE_URL: 'postgres://cowrie:password@postgres:5432/cowrie',
    SERVICE_SECRET: 'k3Jx9vQ2mZ7pL4wT8rY1nB6cF5hG0dSa',
    SERVICE_SMTP_URL: 'smtp://127.0.0.1:9',
    METRICS_TOKEN: 'pL4wT8rY1nB6cF5hG0dSak3Jx9vQ2mZ7',
    INTERNAL_SECRET: 'B6cF5hG0dSak3Jx9vQ2mZ7pL4wT8rY1n',
  }
  const chosen = exampleLines.filter(({ isSet }) => isSet).map(({ name, value }) => [name, value])
  return { ...Object.fromEntries(chosen), ...secrets }
}
