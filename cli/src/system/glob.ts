// Path patterns as in .gitignore: `*.ts` in any folder, `src/` with its content, `src/**/*.ts`.

/** Whether the pattern matches a path (relative to the root, with slashes). */
export function matchesGlob(path: string, glob: string): boolean {
  return compile(glob).test(path)
}

function compile(glob: string): RegExp {
  const clean = glob.replace(/^\.?\//, '').replace(/\/+$/, '')
  // A pattern without a slash matches a name in any folder.
  const start = clean.includes('/') || glob.startsWith('/') ? '' : '(?:.*/)?'
  // A folder matches everything in it.
  return new RegExp(`^${start}${sourceOf(clean)}(?:/.*)?$`, 'su')
}

const PART = /\*\*\/|\/\*\*$|\*\*|\*|\?|\{[^{}]*\}|\[!?[^\]/]+\]|./gsu

function sourceOf(glob: string): string {
  return [...glob.matchAll(PART)].map(([part]) => sourceOfOne(part)).join('')
}

function sourceOfOne(part: string): string {
  if (part === '**/') return '(?:.*/)?'
  if (part === '/**') return '/.*'
  if (part === '**') return '.*'
  if (part === '*') return '[^/]*'
  if (part === '?') return '[^/]'
  if (part.length > 2 && part.startsWith('{'))
    return `(?:${part.slice(1, -1).split(',').map(sourceOf).join('|')})`
  if (part.length > 2 && part.startsWith('['))
    return `[${part.startsWith('[!') ? '^' : ''}${part.slice(part.startsWith('[!') ? 2 : 1, -1).replace(/[\\\][^]/g, '\\$&')}]`
  return part.replace(/[.*+?^${}()|[\]\\/]/gu, '\\$&')
}
