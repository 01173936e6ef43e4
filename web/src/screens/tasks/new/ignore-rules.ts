// The rules of .gitignore and .cowrieignore files in a chosen folder. Pure.

type Rule = { readonly pattern: RegExp; readonly isKept: boolean; readonly isFolderOnly: boolean }
/** The text of each ignore file by the folder that it is in; the root is ''. */
export type IgnoreFiles = ReadonlyMap<string, string>

const ALWAYS = /(^|\/)(\.git|node_modules|\.hg|\.svn|__pycache__|\.venv)(\/|$)/
const IGNORE_FILE = /(^|\/)\.(gitignore|cowrieignore)$/

export const isIgnoreFile = (path: string): boolean => IGNORE_FILE.test(path)
export const isNeverSent = (path: string): boolean => ALWAYS.test(path)

/** Whether a path is ignored. Rules of deeper folders come later and win, as in git. */
export function ignoreMatcher(files: IgnoreFiles): (path: string) => boolean {
  const rules = new Map([...files].map(([folder, text]) => [folder, readRules(text)]))
  const known = new Map<string, boolean>()
  const decide = (path: string, isFolder: boolean): boolean => {
    let isIgnored = false
    const parts = path.split('/')
    for (let depth = 0; depth < parts.length; depth++) {
      const folder = parts.slice(0, depth).join('/')
      for (const rule of rules.get(folder) ?? []) {
        if (rule.isFolderOnly && !isFolder) continue
        if (rule.pattern.test(parts.slice(depth).join('/'))) isIgnored = !rule.isKept
      }
    }
    return isIgnored
  }
  const isFolderIgnored = (folder: string): boolean => {
    if (folder === '') return false
    const before = known.get(folder)
    if (before !== undefined) return before
    const isIgnored = isFolderIgnored(parentOf(folder)) || decide(folder, true)
    known.set(folder, isIgnored)
    return isIgnored
  }
  // A file below an ignored folder cannot be included again.
  return (path) => isNeverSent(path) || isFolderIgnored(parentOf(path)) || decide(path, false)
}

export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

function readRules(text: string): Rule[] {
  return text.split(/\r?\n/).flatMap((line): Rule[] => {
    const written = line.replace(/(?<!\\)\s+$/, '')
    if (written === '' || written.startsWith('#')) return []
    const isKept = written.startsWith('!')
    const bare = isKept ? written.slice(1) : written
    const isFolderOnly = bare.endsWith('/')
    const pattern = isFolderOnly ? bare.slice(0, -1) : bare
    return pattern === '' ? [] : [{ pattern: toExpression(pattern), isKept, isFolderOnly }]
  })
}

/** A slash inside or at the start ties the pattern to its folder. Otherwise it matches at any depth. */
function toExpression(pattern: string): RegExp {
  const isTied = pattern.slice(0, -1).includes('/')
  const source = pattern
    .replace(/^\//, '')
    .replace(/\\(.)|\*\*\/|\/\*\*$|\*|\?|\[(!?)([^\]/]+)\]|[.+^${}()|[\]]/g, toPart)
  return new RegExp(`^${isTied ? '' : '(?:.*/)?'}${source}$`)
}

function toPart(found: string, escaped?: string, not?: string, set?: string): string {
  if (escaped !== undefined) return escaped.replace(/[.*+?^${}()|[\]\\]/, '\\$&')
  if (found === '**/') return '(?:.*/)?'
  if (found === '/**') return '/.*'
  if (found === '*') return '[^/]*'
  if (found === '?') return '[^/]'
  if (set !== undefined) return `[${not ? '^' : ''}${set.replace(/[\\^[]/g, '\\$&')}]`
  return `\\${found}`
}
