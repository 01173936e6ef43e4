// Commands that only read. In the sandbox they run without a question.
import { isSecretFile } from '@cowrie/sdk/secrets'
import { parseCommand, type SimpleCommand } from './shell-syntax.ts'

/** Whether the command only reads files of the repository and prints. Only true of a command in the sandbox. */
export function isHarmless(command: string, root: string): boolean {
  // Absolute paths in the repository are like relative ones.
  const parts = parseCommand(command.replaceAll(`${root}/`, './'))
  return (
    parts !== null &&
    parts.length > 0 &&
    parts.every((part) => !part.hasRedirection && isHarmlessPart(part) && !namesSecretFile(part))
  )
}

/** Whether a word is the path of a file that holds secrets, such as `.env`, or a pattern of such paths, such as `.e*`. */
export const namesSecretFile = ({ words }: SimpleCommand): boolean =>
  words
    .slice(1)
    .some(
      ({ text, isGlob }) =>
        isSecretFile(text.replace(/^.*=/, '')) ||
        isSecretFile(text) ||
        (isGlob && /(?:^|[/=])\.[^/]*[*?[]/.test(text)),
    )

const ANY = new Set(
  'pwd ls cat head tail wc echo true false whoami id uname which type stat du df basename dirname realpath readlink cut tr nl grep egrep fgrep diff cmp comm jq seq rev fold column expr sleep hexdump od sha256sum md5sum cksum nproc arch hostname'.split(
    ' ',
  ),
)

/** Rules for the arguments of the others. */
const CHECKED: Readonly<Record<string, (words: readonly string[]) => boolean>> = {
  // Bash sets a variable by -v, such as PATH, and evaluates its subscript.
  printf: ([format = '']) => !format.startsWith('-'),
  // Writes to its second operand.
  uniq: (words) => operands(words).length <= 1,
  sort: (words) => !words.some((word) => /^(-[a-zA-Z]*o|--o|--com|-T|--temp)/.test(word)),
  date: (words) => !words.some((word) => /^(-[a-zA-Z]*s|--set)/.test(word)),
  tree: (words) => !words.some((word) => /^-[a-zA-Z]*[oR]/.test(word)),
  rg: (words) => !words.some((word) => /^(--pre|--hostname-bin|-[a-zA-Z]*z|--search-zip)/.test(word)),
  find: (words) => !words.some((word) => /^-(exec|ok|delete|fprint|fls)/.test(word)),
  cd: ([folder, ...rest]) => rest.length === 0 && folder !== undefined && !folder.startsWith('-'),
  command: ([option, ...rest]) => option === '-v' && rest.length === 1,
  git: isHarmlessGit,
  npm: ([subcommand = '']) => /^(ls|list|outdated|--version|-v|root|prefix)$/.test(subcommand),
}

const VERSIONED = new Set(
  'node npx python python3 pip pip3 go cargo rustc java javac mvn gradle make cmake gcc g++ clang ruby php deno bun pnpm yarn tsc dotnet composer bundle swift kotlin docker'.split(
    ' ',
  ),
)

export function isHarmlessPart({ words, hasRedirection }: SimpleCommand): boolean {
  const [program, ...rest] = words
  if (program === undefined || program.isGlob || hasRedirection) return false
  // The name of a file may look like an option.
  if (rest.some(({ isGlob, text }) => isGlob && /^[*?[]/.test(text))) return false
  const given = rest.map(({ text }) => text)
  if (given.some(isOutside)) return false
  if (ANY.has(program.text)) return !given.some((word) => /^--(pre|output|files0)/.test(word))
  if (VERSIONED.has(program.text))
    return given.length === 1 && /^(--version|-v|-V|version)$/.test(given[0] ?? '')
  return Object.hasOwn(CHECKED, program.text) && CHECKED[program.text]?.(given) === true
}

/** A path outside of the current folder. */
const isOutside = (word: string): boolean =>
  /^(?:-[^=]*=)?(?:[/~]|.*(?:^|[/=:])\.\.(?:\/|$))/.test(word) && word !== '/dev/null'

const operands = (words: readonly string[]): string[] => words.filter((word) => !word.startsWith('-'))

const GIT_READS = new Set(
  'status diff log show rev-parse ls-files ls-tree blame shortlog describe cat-file rev-list merge-base name-rev diff-tree count-objects whatchanged show-ref'.split(
    ' ',
  ),
)

/** For harmless commands: git runs no program that a repository names, also not one inside of this repository. */
export const QUIET_GIT: Readonly<Record<string, string>> = {
  GIT_CONFIG_COUNT: '4',
  GIT_CONFIG_KEY_0: 'safe.bareRepository',
  GIT_CONFIG_VALUE_0: 'explicit',
  GIT_CONFIG_KEY_1: 'core.fsmonitor',
  GIT_CONFIG_VALUE_1: 'false',
  GIT_CONFIG_KEY_2: 'core.hooksPath',
  GIT_CONFIG_VALUE_2: '/dev/null',
  GIT_CONFIG_KEY_3: 'diff.external',
  GIT_CONFIG_VALUE_3: '',
}

/** Filters and text conversions that the configuration of a repository names still run, in the sandbox. */
function isHarmlessGit([subcommand = '', ...rest]: readonly string[]): boolean {
  if (rest.some((word) => /^(--ou|--ext|--textc|-O|--op|--exe|--up)/.test(word))) return false
  if (GIT_READS.has(subcommand)) return true
  if (subcommand === '--version') return rest.length === 0
  // -O runs a program, also at the end of other letters.
  if (subcommand === 'grep') return !rest.some((word) => /^-[a-zA-Z0-9]*O/.test(word))
  if (subcommand === 'branch')
    return rest.every((word) => /^(-a|-r|-v|-vv|--all|--list|--show-current)$/.test(word))
  if (subcommand === 'remote') return rest.length === 0 || (rest.length === 1 && rest[0] === '-v')
  if (subcommand === 'tag')
    return rest.length === 0 || (rest.length === 1 && /^(-l|--list)$/.test(rest[0] ?? ''))
  return subcommand === 'stash' && rest.length === 1 && rest[0] === 'list'
}
