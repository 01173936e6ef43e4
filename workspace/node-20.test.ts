// The CLI runs on Node.js 20, and this workspace is a part of it. The compiler knows newer functions.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const NEWER =
  /\b(?:Map|Object)\.groupBy\b|\bPromise\.(?:withResolvers|try)\b|\bArray\.fromAsync\b|\bIterator\.from\b|^\s*(?:await )?using \w|\.(?:isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference)\(|\bRegExp\.escape\b|\bMath\.sumPrecise\b|\.getOrInsert(?:Computed)?\(|\bstripTypeScriptTypes\b|\bglobSync\b/

test('the CLI and this workspace use only functions that Node.js 20 has', () => {
  const files = globSync('{workspace,cli/src}/**/*.ts', { cwd: ROOT }).filter(
    (file) => !file.endsWith('.test.ts') && !file.includes('node_modules'),
  )
  expect(files.length).toBeGreaterThan(300)
  const found = files.flatMap((file) =>
    readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .flatMap((line, i) => (NEWER.test(line) ? [`${file}:${i + 1} ${line.trim()}`] : [])),
  )
  expect(found).toEqual([])
})
