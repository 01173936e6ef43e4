// Decides which commands a remembered rule allows, and which rules to offer.
import { isHarmlessPart } from './harmless-commands.ts'
import { isAssignment, parseCommand, type SimpleCommand } from './shell-syntax.ts'

/** Whether the rule allows the command: the same text, or `npm test*` for `npm test` with any arguments. */
export const matchesPattern = (command: string, pattern: string): boolean =>
  matchesPatterns(command, [pattern])

/**
 * Whether the rules together allow the command. Of a list such as `cd web && npm test | tail`, each part must be allowed by a rule
 * or be harmless. A rule with `*` never allows redirection, substitution or variables.
 */
export function matchesPatterns(command: string, patterns: readonly string[]): boolean {
  const wanted = command.trim()
  if (patterns.some((pattern) => !pattern.trim().endsWith('*') && pattern.trim() === wanted)) return true
  const parts = parseCommand(command)
  if (parts === null || parts.length === 0) return false
  const isAllowed = (part: SimpleCommand) => patterns.some((pattern) => allowsPart(pattern, part))
  return (
    parts.every((part) => !part.hasRedirection && (isAllowed(part) || isHarmlessPart(part))) &&
    parts.some(isAllowed)
  )
}

function allowsPart(pattern: string, { words }: SimpleCommand): boolean {
  const [, start = '', star = ''] = /^(.*?)\s*(\*?)$/s.exec(pattern.trim()) ?? []
  const [rule, ...others] = parseCommand(start) ?? []
  if (rule === undefined || others.length > 0 || rule.hasRedirection) return false
  if (rule.words.some(({ isGlob }) => isGlob)) return false
  if (star === '' ? words.length !== rule.words.length : words.length < rule.words.length) return false
  return rule.words.every(({ text }, index) => {
    const word = words[index]
    if (word === undefined || word.isGlob) return false
    if (word.text === text) return true
    // `npm run test:*` also allows `npm run test:unit`.
    const isOpenEnd = star !== '' && index === rule.words.length - 1 && /[:/_.=@-]$/.test(text)
    return isOpenEnd && !/\s/.test(pattern.at(-2) ?? '') && word.text.startsWith(text)
  })
}

/** Programs whose second word tells what they do. */
const WITH_SUBCOMMAND = new Set(
  `npm pnpm yarn bun deno git cargo go make just task dotnet mvn gradle ./gradlew ./mvnw composer bundle rake mix swift
  flutter dart poetry uv pip pip3 pipenv hatch nox tox rails bin/rails php artisan docker podman kubectl terraform helm npx
  pnpx bunx python python3 node ruby deno`.split(/\s+/),
)
/** Subcommands whose next word tells what they do. */
const WITH_SECOND_SUBCOMMAND = /^(?:run|exec|run-script|x|-m|tool|dlx|artisan|compose|mod)$/
/** Too much depends on the arguments, or the arguments are code. */
const NEVER_BY_PREFIX = new Set(
  `rm mv cp dd ln chmod chown chgrp kill pkill killall sudo su doas sh bash zsh dash fish ksh eval exec source . env xargs parallel
  find awk gawk sed perl ssh scp sftp rsync curl wget nc ncat socat telnet docker podman kubectl terraform helm tee nohup setsid
  timeout watch strace gdb script expect install truncate mkfs mount umount crontab at systemctl service nsenter unshare
  bwrap chroot busybox tar zip unzip patch ed vi vim nano open xdg-open osascript sandbox-exec`.split(/\s+/),
)
const NEVER_BY_SUBCOMMAND =
  /^(?:git (?:push|config|reset|clean|checkout|restore|switch|rebase|filter-branch|update-ref|gc|-.*|remote|submodule)|(?:npm|pnpm|yarn|bun|cargo|composer|pip|pip3|gem|uv|poetry|go) (?:i|install|add|publish|login|unpublish|get|exec|dlx|-.*)|(?:python|python3|node|ruby|deno|php|bun) (?:-(?!m$).*|eval)|deno run.*|npx -.*|make -.*)$/

/** The rules that a user can remember for this command: the command itself, and it with any arguments. */
export function suggestPatterns(command: string): readonly string[] {
  const exact = command.trim()
  // A star at the end would make it a rule for more.
  const patterns = exact === '' || exact.endsWith('*') || exact.includes('\n') ? [] : [exact]
  for (const part of parseCommand(command) ?? []) {
    if (part.hasRedirection || isHarmlessPart(part)) continue
    const prefix = prefixOf(part)
    if (prefix !== null && !patterns.includes(`${prefix}*`)) patterns.push(`${prefix}*`)
  }
  return patterns.slice(0, 5)
}

function prefixOf({ words }: SimpleCommand): string | null {
  const [program, second, third] = words
  if (!program || program.isGlob || isAssignment(program.text) || NEVER_BY_PREFIX.has(program.text))
    return null
  if (!isPlain(program.text)) return null
  if (!WITH_SUBCOMMAND.has(program.text)) return program.text
  if (!second || second.isGlob || !isPlain(second.text)) return null
  const two = `${program.text} ${second.text}`
  if (NEVER_BY_SUBCOMMAND.test(two)) return null
  if (!WITH_SECOND_SUBCOMMAND.test(second.text)) return two
  return third && !third.isGlob && isPlain(third.text) && !third.text.startsWith('-')
    ? `${two} ${third.text}`
    : null
}

/** Needs no quotes. */
const isPlain = (word: string): boolean => /^[\w@%+=:,./-]+$/.test(word)
