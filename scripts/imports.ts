// Which packages the source of a folder imports.
import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { parseSync } from 'rolldown/utils'

const NOT_SOURCE = /(^|\/)(node_modules|dist|\.cache|\.data)(\/|$)/
const SOURCE = /\.(?:ts|tsx|mts|mjs)$/
const PACKAGE = /^(?:@[a-z0-9-]+\/)?[a-z0-9][a-z0-9._-]*/
export type Source = { readonly path: string; readonly text: string; readonly packages: readonly string[] }

/** The source files of a folder, each with the packages that it imports; built-in modules are left out. */
export function sourcesBelow(folder: string): Source[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => SOURCE.test(path) && !NOT_SOURCE.test(path))
    .map((path) => {
      const text = readFileSync(join(folder, path), 'utf8')
      const names = modulesNamedIn(path, text).filter((name) => !isBuiltin(name))
      return { path, text, packages: [...new Set(names.flatMap((name) => PACKAGE.exec(name)?.[0] ?? []))] }
    })
}

function modulesNamedIn(path: string, source: string): string[] {
  const { staticImports, staticExports, dynamicImports } = parseSync(path, source).module
  return [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value ?? '')),
    ...dynamicImports.map(
      ({ moduleRequest: { start, end } }) => /^'(.*)'$/.exec(source.slice(start, end))?.[1] ?? '',
    ),
  ]
}
