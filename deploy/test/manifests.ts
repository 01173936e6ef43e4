// Reads YAML files with the parser that the browser driver contains.
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** An untyped YAML node; `at` reads its parts. */
export type Node = unknown

type Parser = {
  parseAllDocuments(
    text: string,
    options: { merge: boolean },
  ): { readonly errors: readonly Error[]; readonly warnings: readonly Error[]; toJS(): Node }[]
}

const { yaml }: { yaml: Parser } = createRequire(import.meta.url)('playwright-core/lib/utilsBundle')

/** The documents of a repository file. Throws parse errors and warnings. */
export function readYaml(path: string): Node[] {
  const documents = yaml.parseAllDocuments(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'), {
    merge: true,
  })
  return documents.map((document) => {
    for (const problem of [...document.errors, ...document.warnings]) throw problem
    return document.toJS()
  })
}

export const manifestFiles = (): string[] =>
  readdirSync(new URL('../kubernetes', import.meta.url)).filter((name) => name.endsWith('.yaml'))

/** The node at a path such as `spec.template.0.name`, or undefined. */
export function at(node: Node, path: string): Node {
  let here = node
  for (const step of path.split('.'))
    here = typeof here === 'object' && here !== null ? Reflect.get(here, step) : undefined
  return here
}

export const listAt = (node: Node, path: string): Node[] => {
  const found = at(node, path)
  return Array.isArray(found) ? found : []
}

export function recordAt(node: Node, path: string): Record<string, Node> {
  const found = path === '' ? node : at(node, path)
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? { ...found } : {}
}
