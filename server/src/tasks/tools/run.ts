// The tool `run`: a command in the sandbox.
import { prefixLines, toPlainOutput, toPlainText } from '@cowrie/workspace/text/plain-text.ts'
import { cutBytes, FULL_OUTPUT_BYTES_MAX, fail } from '@cowrie/workspace/tools/tool-result.ts'
import type { RunInput, ToolResult } from '@cowrie/workspace/tools/tool-types.ts'
import { type CommandRun, condenseOutput, readTestReport } from '../../sandbox/sandbox.ts'
import { learnSecrets } from './search/learn-secrets.ts'
import type { ToolContext } from './tool-types.ts'

const TIMEOUT_SECONDS_DEFAULT = 120

export async function run(context: ToolContext, input: RunInput): Promise<ToolResult> {
  const seconds = input.timeoutSeconds ?? TIMEOUT_SECONDS_DEFAULT
  // The command can print a part of any file.
  const [result] = await Promise.all([
    context.runCommand(input.command, seconds * 1_000),
    learnSecrets(context),
  ])
  context.signal.throwIfAborted()
  // Terminal commands go first: they could split a secret so that it is not found.
  const masked = await context.mask.hideOutput('output of run', toPlainOutput(result.output))
  const report = readTestReport(masked.text, result.exitCode ?? 1)
  const short = toPlainText(condenseOutput(masked.text, report))
  const whole = cutBytes(masked.text, FULL_OUTPUT_BYTES_MAX)
  const isTruncated = short.trim() !== whole.trim()
  const headline = [describeOutcome(result, seconds), describeTests(report)]
    .filter((part) => part !== '')
    .join(' ')
  const ok = result.outcome === 'exited' && result.exitCode === 0
  if (result.outcome === 'failed' || result.outcome === 'cancelled') return fail(headline)
  return {
    ok,
    output: short.trim() === '' ? `${headline} It printed nothing.` : `${headline}\n${prefixLines(short)}`,
    isTruncated,
    changes: [],
    ...(isTruncated && { fullOutput: whole }),
  }
}

const LIMITS: Readonly<Record<NonNullable<CommandRun['limit']>, string>> = {
  memory: 'it used too much memory',
  processes: 'it started too many processes',
  disk: 'it wrote too much to the disk',
  output: 'it printed too much',
}

function describeOutcome(
  { outcome, exitCode, limit, durationMs, reason }: CommandRun,
  seconds: number,
): string {
  const took = `${(durationMs / 1_000).toFixed(1)} s`
  switch (outcome) {
    case 'exited':
      return `The command ended with exit code ${exitCode ?? 'unknown'} after ${took}.`
    case 'timed_out':
      return `The command was stopped: it did not end within ${seconds} s.`
    case 'limit':
      return `The command was stopped after ${took}: ${limit === null ? 'it reached a limit' : LIMITS[limit]}.`
    case 'cancelled':
      return 'The command was cancelled.'
    case 'failed':
      return `The command did not run: ${toPlainText(reason ?? 'the sandbox failed').slice(0, 500)}. Nothing was tested.`
  }
}

function describeTests({ reporter, passed, failed }: ReturnType<typeof readTestReport>): string {
  return reporter === null ? '' : `Tests: ${passed} passed, ${failed} failed.`
}
