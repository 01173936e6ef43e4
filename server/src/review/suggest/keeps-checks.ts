// A fix of a model must repair the code. Code that is gone, a check that is gone and a tool that is silenced have no finding
// either, and the project's tests need not notice.

/** None may occur less often in the code. Names count by their parts. */
const CHECKS: readonly RegExp[] = [
  /\b(?:if|elif|elsif|unless|guard|switch|match|when)\b/g,
  /\b(?:throw|raise|panic|die|abort|exit|return)\b/g,
  /assert|verif|valid|check|auth|permi|polic|sanit|escap|csrf|guard|limit|audit|sign|ensure|forbid|reject/gi,
  /\b(?:log|logger|logging|console)\b/gi,
]

const SILENCERS: readonly RegExp[] = [
  /cowrie-ignore|nosec|nolint|noqa|nosonar|eslint-disable|biome-ignore|ts-(?:ignore|expect-error|nocheck)|SuppressWarnings|rubocop:|phpcs:|phpstan-|type:\s*ignore|nosemgrep|lgtm|istanbul ignore|no cover/gi,
  /\bif\b\W*(?:false|0|nil|none|null)\b|\bfalse\s*(?:&&|and\b)/gi,
]

/** Control and format characters: they can show other code than the one that runs. */
const HIDDEN = /[\p{Cf}\p{Zl}\p{Zp}]|(?![\t\n])\p{Cc}/u

const TEXTS_AND_COMMENTS =
  /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|\/\*[\s\S]*?(?:\*\/|(?![\s\S]))|(?<!:)\/\/.*|(?<=^|\s)#(?![[{]).*/gm

/** `before` are the replaced lines. */
export function keepsChecks(before: string, after: string): boolean {
  if (HIDDEN.test(after)) return false
  const [older, newer] = [codeOf(before), codeOf(after)]
  return (
    (/\w/.test(newer) || !/\w/.test(older)) &&
    CHECKS.every((pattern) => count(newer, pattern) >= count(older, pattern)) &&
    SILENCERS.every((pattern) => count(after, pattern) <= count(before, pattern))
  )
}

const codeOf = (text: string): string => text.replaceAll(TEXTS_AND_COMMENTS, ' ')

const count = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length
