// The screens of the app, from its table.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const TABLE = fileURLToPath(new URL('../src/screens/table.ts', import.meta.url))

/** Without paths that need an id. */
export const pathsOfApp = (): string[] =>
  [...readFileSync(TABLE, 'utf8').matchAll(/\('(\/app[^']*)', msg\(/g)]
    .map(([, path = '']) => path)
    .filter((path) => !path.includes('{'))

const WAYS_IN = /^\/app\/(sign-in|register|forgot|reset|check-mail|operator-invite|contact)/

export const isWayIn = (path: string): boolean => WAYS_IN.test(path)
