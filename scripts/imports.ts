// Finds the packages that the source of a folder imports.
import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { parseSync } from 'rolldown/utils'

export type Source = {
  readonly path: string
  readonly text: string
  /** Names of packages, including those imported only for types. */
  readonly packages: readonly string[]
  /** Import specifiers that are loaded at run time, such as `zod` or `preact/hooks`. */
  readonly loaded: readonly string[]
}

const NOT_SOURCE = /(^|\/)(node_modules|dist|testdata|\.cache|\.data)(\/|$)/
const SOURCE = /\.(?:ts|tsx|mts|mjs)$/
const PACKAGE = /^(?:@[a-z0-9-]+\/)?[a-z0-9][a-z0-9._-]*/

/** The source files of a folder with their imports, without built-in modules. */
export function sourcesBelow(folder: string): Source[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => SOURCE.test(path) && !NOT_SOURCE.test(path))
    .map((path) => {
      const text = readFileSync(join(folder, path), 'utf8')
      const imports = importsIn(path, text).filter(({ name }) => PACKAGE.test(name) && !isBuiltin(name))
      return {
        path,
        text,
        packages: [...new Set(imports.flatMap(({ name }) => PACKAGE.exec(name)?.[0] ?? []))],
        loaded: imports.filter(({ isType }) => !isType).map(({ name }) => name),
      }
    })
}

function importsIn(path: string, text: string): { name: string; isType: boolean }[] {
  const { staticImports, staticExports, dynamicImports } = parseSync(path, text).module
  const typesOnly = (entries: readonly { isType: boolean }[]) =>
    entries.length > 0 && entries.every(({ isType }) => isType)
  return [
    ...staticImports.map(({ moduleRequest, entries }) => ({
      name: moduleRequest.value,
      isType: typesOnly(entries),
    })),
    ...staticExports.flatMap(({ entries }) =>
      entries.map(({ moduleRequest, isType }) => ({ name: moduleRequest?.value ?? '', isType })),
    ),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => ({
      name: /^'(.*)'$/.exec(text.slice(start, end))?.[1] ?? '',
      isType: false,
    })),
  ]
}
