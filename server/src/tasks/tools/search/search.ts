// The tool `search`: text, regular expressions, definitions and meaning.
import type { ScanOutput } from '@cowrie/workspace/search/scan.ts'
import {
  LIMIT_DEFAULT,
  MATCHES_PER_FILE,
  readRegex,
  type SelectedPaths,
  selectPaths,
  showMatches,
} from '@cowrie/workspace/search/search-lines.ts'
import { fail } from '@cowrie/workspace/tools/tool-result.ts'
import type { SearchInput, ToolResult } from '@cowrie/workspace/tools/tool-types.ts'
import { readWorkspaceText } from '@cowrie/workspace/tools/workspace-text.ts'
import { TaskTimeout } from '../../../platform/workers/workers.ts'
import type { ToolContext } from '../tool-types.ts'
import { scanWorkspace } from './scan.ts'
import { searchMeaning } from './search-meaning.ts'
import { searchSymbol } from './search-symbol.ts'

export async function search(context: ToolContext, input: SearchInput): Promise<ToolResult> {
  const selected = selectPaths(context, input)
  if (typeof selected === 'string') return fail(selected)
  if (selected.paths.length === 0) return fail('No file of the workspace matches path and glob.')
  const limit = input.limit ?? LIMIT_DEFAULT
  try {
    if (input.kind === 'symbol') return await searchSymbol(context, selected.paths, input.query, limit)
    if (input.kind === 'meaning') return await searchMeaning(context, selected.paths, input.query, limit)
    return await searchLines(context, selected, input, limit)
  } catch (error) {
    if (!(error instanceof TaskTimeout)) throw error
    return fail('The search took too long and was stopped. Use a simpler expression, or a narrower path.')
  }
}

async function searchLines(
  context: ToolContext,
  { paths, withheld }: SelectedPaths,
  input: SearchInput,
  limit: number,
): Promise<ToolResult> {
  const query = input.kind === 'text' ? { kind: 'text' as const, text: input.query } : readRegex(input.query)
  if (typeof query === 'string') return fail(query)
  const found = await scanWorkspace(context, paths, {
    kind: 'lines',
    query,
    limit,
    perFile: Math.min(limit, MATCHES_PER_FILE),
  })
  await recordSecrets(context, found)
  return showMatches(found, withheld)
}

const RECORDED_FILES_MAX = 20

/** Files with secrets are masked again here, which reports them as withheld. */
async function recordSecrets(context: ToolContext, { files }: ScanOutput): Promise<void> {
  for (const { path } of files.filter(({ hasSecrets }) => hasSecrets).slice(0, RECORDED_FILES_MAX)) {
    const found = await readWorkspaceText(context, path)
    if ('text' in found) await context.mask.hide(path, found.text)
  }
}
