// Search for definitions by name: a fast text search finds the candidates, and the parser confirms them.
import { cutLine, showCount, showPath, toPlainText } from '@cowrie/workspace/text/plain-text.ts'
import { fail, succeed } from '@cowrie/workspace/tools/tool-result.ts'
import type { ToolResult } from '@cowrie/workspace/tools/tool-types.ts'
import { findDefinitionsIn } from '../../../repo-index/repo-index.ts'
import type { ToolContext } from '../tool-types.ts'
import { scanWorkspace } from './scan.ts'

const FILES_MAX = 60
const LINE_CHARACTERS_MAX = 200
const NAME = /^[\p{L}_$@#][\p{L}\p{N}_$.:#>-]{0,199}$/u
const USES_SHOWN = 10

export async function searchSymbol(
  context: ToolContext,
  paths: readonly string[],
  query: string,
  limit: number,
): Promise<ToolResult> {
  const name = query.trim().replace(/\(\)$/, '')
  const last = name.split(/\.|::|#|->/).at(-1) ?? ''
  if (!NAME.test(name) || last === '')
    return fail('A symbol is one name, such as parseBody or Wallet.settle.')
  const { texts, filesLeft } = await scanWorkspace(context, paths, {
    kind: 'files',
    words: [last],
    isName: true,
    limit: FILES_MAX,
  })
  const owner = { owner: context.orgId, signal: context.signal }
  const { definitions } = await findDefinitionsIn(texts, name, owner)
  if (definitions.length === 0) return showUses(context, paths, name, last)
  const contents = new Map(texts.map(({ path, content }) => [path, content.split('\n')]))
  const rows = definitions.slice(0, limit).map(({ path, line, endLine, kind, scope }) => {
    const text = cutLine(toPlainText(contents.get(path)?.[line - 1]?.trim() ?? ''), LINE_CHARACTERS_MAX)
    const where = `${showPath(path)}:${line}${endLine > line ? `-${endLine}` : ''}`
    return `${where}  ${kind}${scope === '' ? '' : ` in ${showPath(toPlainText(scope))}`}\n  ${line}| ${text}`
  })
  const more = definitions.length - rows.length
  return succeed(
    [
      `${showCount(definitions.length, 'definition')} of ${last}:`,
      ...rows,
      ...(more > 0 ? [`… ${showCount(more, 'more definition')} left out.`] : []),
      ...(filesLeft > 0 ? [`${showCount(filesLeft, 'file')} not searched because a limit was reached.`] : []),
    ].join('\n'),
    { isTruncated: more > 0 },
  )
}

/** Without a definition, the occurrences of the name help most. */
async function showUses(
  context: ToolContext,
  paths: readonly string[],
  name: string,
  last: string,
): Promise<ToolResult> {
  const query = { kind: 'text' as const, text: last }
  const { files } = await scanWorkspace(context, paths, {
    kind: 'lines',
    query,
    limit: USES_SHOWN,
    perFile: 2,
  })
  if (files.length === 0) return succeed(`No definition of ${name}, and the name does not occur.`)
  const rows = files.flatMap(({ path, matches }) => [
    showPath(path),
    ...matches.map(({ line, text }) => `  ${line}| ${cutLine(toPlainText(text), LINE_CHARACTERS_MAX)}`),
  ])
  return succeed([`No definition of ${name} was found. The name occurs here:`, ...rows].join('\n'))
}
