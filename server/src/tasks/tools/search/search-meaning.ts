// Search by meaning: in the index of the repository, or by the words of the query when there is none.
import { cutLine, prefixLines, showCount, showPath, toPlainText } from '@cowrie/workspace/text/plain-text.ts'
import { succeed } from '@cowrie/workspace/tools/tool-result.ts'
import type { ToolResult } from '@cowrie/workspace/tools/tool-types.ts'
import { rankExcerptsOf, retrieve, tokenize } from '../../../repo-index/repo-index.ts'
import type { ToolContext } from '../tool-types.ts'
import { scanWorkspace } from './scan.ts'

const EXCERPTS_MAX = 12
const LINES_MAX = 14
const LINE_CHARACTERS_MAX = 200
const TOKENS_MAX = 8_000
const FILES_MAX = 60
const WORD_CHARACTERS_MIN = 3
const WORDS_MAX = 32

export async function searchMeaning(
  context: ToolContext,
  paths: readonly string[],
  query: string,
  limit: number,
): Promise<ToolResult> {
  const most = Math.min(limit, EXCERPTS_MAX)
  return (await searchIndex(context, paths, query, most)) ?? (await searchWords(context, paths, query, most))
}

/** Undefined if the repository is not indexed, or nothing in it is allowed. */
async function searchIndex(
  { app, orgId, org, workspace }: ToolContext,
  paths: readonly string[],
  query: string,
  limit: number,
): Promise<ToolResult | undefined> {
  if (workspace.repo === null) return undefined
  const allowed = new Set(paths)
  const request = { query, repo: workspace.repo, limit: limit * 2, tokensMax: TOKENS_MAX }
  const hits = (await retrieve(app, { orgId, org }, request)).filter(({ path }) => allowed.has(path))
  if (hits.length === 0) return undefined
  const blocks = hits.slice(0, limit).map(({ path, lines, text }) => {
    const rows = toPlainText(text).split('\n').slice(0, LINES_MAX)
    return `${showPath(path)}:${lines}\n${prefixLines(rows.map((row) => cutLine(row, LINE_CHARACTERS_MAX)).join('\n'), '  | ')}`
  })
  const note =
    'From the index of the repository, which may be older than the workspace: read a file before you edit it.'
  return succeed([note, ...blocks].join('\n'))
}

/** Selects the files with most of the words, then ranks their parts. */
async function searchWords(
  context: ToolContext,
  paths: readonly string[],
  query: string,
  limit: number,
): Promise<ToolResult> {
  const words = [...new Set(tokenize(query))]
    .filter(({ length }) => length >= WORD_CHARACTERS_MIN)
    .slice(0, WORDS_MAX)
  const none = 'No file of the workspace contains a word of the query. Try other words, or kind text.'
  if (words.length === 0) return succeed(none)
  const { texts, filesLeft } = await scanWorkspace(context, paths, {
    kind: 'files',
    words,
    isName: false,
    limit: FILES_MAX,
  })
  const owner = { owner: context.orgId, signal: context.signal }
  const excerpts = await rankExcerptsOf(texts, query, limit, owner)
  if (excerpts.length === 0) return succeed(none)
  const contents = new Map(texts.map(({ path, content }) => [path, content.split('\n')]))
  const blocks = excerpts.map(({ path, startLine, endLine }) => {
    const rows = (contents.get(path) ?? []).slice(startLine - 1, Math.min(endLine, startLine - 1 + LINES_MAX))
    const numbered = rows.map(
      (row, i) => `  ${startLine + i}| ${cutLine(toPlainText(row), LINE_CHARACTERS_MAX)}`,
    )
    return [`${showPath(path)}:${startLine}-${endLine}`, ...numbered].join('\n')
  })
  const left =
    filesLeft > 0 ? ` ${showCount(filesLeft, 'file')} not searched because a limit was reached.` : ''
  return succeed(
    [`There is no index, so these are the parts with most of the words of the query.${left}`, ...blocks].join(
      '\n',
    ),
  )
}
