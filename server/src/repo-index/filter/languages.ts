// The language and grammar of a file, by its extension.

export type Language = { readonly language: string; readonly grammar?: string }

export function languageOf(path: string): Language {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const ending = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : ''
  return LANGUAGES.get(ending) ?? { language: 'text' }
}

const DATA = new Set(['markdown', 'text', 'json', 'yaml', 'toml', 'shell'])

/** In these languages the text after a name is a value, never another identifier. */
export const isData = (path: string): boolean => DATA.has(languageOf(path).language)

const code = (endings: string, language: string, grammar = language) =>
  endings.split(' ').map((ending) => [ending, { language, grammar }] as const)
const plain = (endings: string, language: string) =>
  endings.split(' ').map((ending) => [ending, { language }] as const)

const LANGUAGES = new Map<string, Language>([
  ...code('js jsx mjs cjs', 'javascript'),
  ...code('ts mts cts', 'typescript'),
  ...code('tsx', 'typescript', 'tsx'),
  ...code('py pyi', 'python'),
  ...code('java', 'java'),
  ...code('go', 'go'),
  ...code('php', 'php'),
  ...code('rb rake gemspec', 'ruby'),
  ...code('rs', 'rust'),
  ...code('c h', 'c'),
  ...code('cc cpp cxx hpp hh hxx ino', 'cpp'),
  ...code('cs', 'csharp', 'c-sharp'),
  ...code('kt kts', 'kotlin'),
  ...code('scala sc', 'scala'),
  ...plain('md mdx markdown', 'markdown'),
  // The Swift grammar is ten times slower than the others, about 100 kB per second, so it is not used.
  ...plain('swift', 'swift'),
  ...plain('sql', 'sql'),
  ...plain('json jsonc json5', 'json'),
  ...plain('yml yaml', 'yaml'),
  ...plain('toml', 'toml'),
  ...plain('css scss less', 'css'),
  ...plain('html htm vue svelte', 'html'),
  ...plain('sh bash zsh', 'shell'),
])
