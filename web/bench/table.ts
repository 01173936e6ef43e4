// The screens of the app, from its table.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const TABLE = fileURLToPath(new URL('../src/screens/table.ts', import.meta.url))

const patternsOfApp = (): string[] =>
  [...readFileSync(TABLE, 'utf8').matchAll(/\('(\/app[^']*)', msg\(/g)].map(([, path = '']) => path)

/** Without paths that need an id. */
export const pathsOfApp = (): string[] => patternsOfApp().filter((path) => !path.includes('{'))

/** Paths with an id that none of the examples has, with an unknown id. */
export const pathsWithoutExample = (examples: readonly string[]): string[] =>
  patternsOfApp()
    .filter((path) => path.includes('{'))
    .filter((path) => {
      const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/?]+')}(\\?|$)`)
      return !examples.some((example) => pattern.test(example))
    })
    .map((path) => path.replaceAll(/\{\w+\}/g, 'unknown'))

const WAYS_IN = /^\/app\/(sign-in|register|forgot|reset|check-mail|operator-invite|contact)/

export const isWayIn = (path: string): boolean => WAYS_IN.test(path)
