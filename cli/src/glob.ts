// Patterns of paths as people know them from .gitignore: `*.ts` anywhere, `src/` with all below it, `src/**/*.ts`.

/** Whether a path, with slashes and from the root, is one that the pattern means. */
export function matchesGlob(path: string, glob: string): boolean {
  return compile(glob).test(path)
}

function compile(glob: string): RegExp {
  const clean = glob.replace(/^\.?\//, '').replace(/\/+$/, '')
  // Without a slash it is a name, wherever it stands.
  const start = clean.includes('/') || glob.startsWith('/') ? '' : '(?:.*/)?'
  // A folder means all that is in it.
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
