// Decides whether an answer intended to change files. Such an answer without edits has failed; an answer to a
// question is complete without edits.
import type { AnswerEnvelope } from '../envelope.ts'
import { findClosingFence, parseOpeningFence } from '../foreign/fences.ts'
import { claimsChange, saysNoChange } from './prose-cues.ts'

/** `files` are those that the model saw. */
export function intendsEdits(envelope: AnswerEnvelope, files: ReadonlyMap<string, string>): boolean {
  const { blocks, broken, plan, summary, warnings } = envelope
  if (blocks.length + broken.length > 0 || warnings.includes('too_many_blocks')) return true
  if (EDIT_SYNTAX.test(summary) || EDIT_SYNTAX.test(plan)) return true
  // In our format, an answer without FILE blocks says that nothing has to change.
  const isUnmarked = warnings.includes('no_edits_parsed')
  if (claimsChange(summary, { isOwn: !isUnmarked })) return true
  return isUnmarked && hasNewCode(summary.split('\n'), files)
}

/** Syntax that only occurs in answers that change files. */
const EDIT_SYNTAX =
  /^\s{0,20}(?:(?:<{5,9}|-{5,9})\s?SEARCH|\*\*\* Begin Patch|\+\+\+ b\/|<(?:write_to_file|replace_in_file|apply_diff|edit_file)>|<file path=|.{0,20}\[\[.{0,20}\bFILE (?:update|create|delete)\b)|"(?:old_string|old_str|oldText)"\s{0,20}:|"edits"\s{0,20}:\s{0,20}\[/im

/** Whether the answer has new fenced code that is announced as a change or is longer than the prose. */
function hasNewCode(lines: readonly string[], files: ReadonlyMap<string, string>): boolean {
  if (lines.some(saysNoChange)) return false
  const known = new Set([...files.values()].flatMap((text) => text.split('\n').map((line) => line.trim())))
  let [newCode, prose] = [0, 0]
  let isAnnounced = false
  let above = ''
  for (let at = 0; at < lines.length; at++) {
    const fence = parseOpeningFence(lines[at] ?? '')
    if (!fence) {
      const line = (lines[at] ?? '').trim()
      prose += line.length
      above = line || above
      continue
    }
    const close = findClosingFence(lines, at, fence.marks) ?? lines.length
    const code = lines.slice(at + 1, close).map((line) => line.trim())
    if (!COMMANDS.test(fence.info) && code.some((line) => !known.has(line))) {
      newCode += code.join('').length
      isAnnounced ||= CHANGE_BELOW.test(above.slice(-400))
    }
    at = close
  }
  return newCode > 0 && (isAnnounced || newCode > prose)
}

const COMMANDS =
  /^(?:sh|bash|zsh|shell|console|terminal|powershell|ps1|bat|cmd|text|txt|output|log|plaintext|plain)\b/i
const CHANGE_BELOW =
  /\b(?:change|replace|update|fix|correct|modif|edit|rewrit|insert|add|new|complete|full)\w*\b[^\n]{0,200}:\W{0,5}$/i
