// Judges a solution by the hidden tests of its task, in a sandbox and apart from the service's own verification.
import { randomBytes } from 'node:crypto'
import { type CommandRun, DEFAULT_LIMITS } from '@cowrie/server/src/sandbox/command-run.ts'
import { runLocally } from '@cowrie/server/src/sandbox/local/local.ts'
import { findLocalTools, type LocalTools } from '@cowrie/server/src/sandbox/local/local-tools.ts'
import { installedFiles } from './corpus/npm-packages.ts'
import { installedPythonFiles, PYTHON_FOLDER } from './corpus/python-packages.ts'
import type { CorpusTask, Files, Language } from './corpus/task.ts'

export type Judge = {
  /** The languages whose programs are missing here, with the program. */
  readonly missing: ReadonlyMap<Language, string>
  /** Runs the repository's own command. */
  runVisible(task: CorpusTask, files: ReadonlyMap<string, string>): Promise<CommandRun>
  /** Runs only the hidden tests. All of them must report that they passed. */
  runHidden(
    task: CorpusTask,
    files: ReadonlyMap<string, string>,
  ): Promise<{ passes: boolean; output: string }>
}

const PROGRAMS: Readonly<Record<Language, string>> = {
  javascript: 'node --version && npm --version',
  typescript: 'node -e "if (!process.features.typescript) process.exitCode = 1"',
  python: 'python3 --version',
  java: 'java -version && javac -version',
  go: 'go version',
}

/** Throws if there is no sandbox here. */
export async function openJudge(): Promise<Judge> {
  const tools = await findLocalTools()
  if ('missing' in tools) throw new Error(`there is no sandbox here: ${tools.missing}`)
  const missing = new Map<Language, string>()
  for (const [language, command] of Object.entries(PROGRAMS) as [Language, string][])
    if ((await runFiles(tools, new Map(), command)).exitCode !== 0) missing.set(language, command)
  const runIn = (task: CorpusTask, files: ReadonlyMap<string, string>, added: Files, command: string) =>
    runFiles(
      tools,
      new Map([...files, ...Object.entries({ ...dependenciesOf(task), ...added })]),
      `${ENVIRONMENT[task.language] ?? ''}${command}`,
    )
  return {
    missing,
    runVisible: (task, files) => runIn(task, files, {}, task.command),
    async runHidden(task, files) {
      const nonce = `n${randomBytes(6).toString('hex')}`
      const { hidden, tests } = nameHidden(task, nonce)
      const { exitCode, output } = await runIn(task, files, hidden, task.judge)
      const passed = output.split('\n').filter((line) => line.includes(nonce) && PASSED.test(line))
      return { passes: exitCode === 0 && passed.length === tests, output }
    },
  }
}

/** The beginnings of test names in each language, and the line of a test that passed. */
const TEST_NAME = /^(test\('| {4}def test_| {4}(?:public )?void test|func TestHidden)/gm
const PASSED = /^(✔|ok \d+ -|--- PASS:) |\.\.\. ok$/

/** Gives the hidden tests names that a program cannot know, so that it cannot print their report. */
function nameHidden({ hidden }: CorpusTask, nonce: string): { hidden: Files; tests: number } {
  const named = Object.entries(hidden).map(([path, text]) => [
    path,
    text.replaceAll(TEST_NAME, `$1${nonce}_`),
  ])
  const tests = Object.values(hidden).reduce((sum, text) => sum + [...text.matchAll(TEST_NAME)].length, 0)
  return { hidden: Object.fromEntries(named), tests }
}

const ENVIRONMENT: Partial<Record<Language, string>> = { python: `PYTHONPATH=${PYTHON_FOLDER} ` }

function dependenciesOf({ language, packages }: CorpusTask): Files {
  if (language === 'python') return installedPythonFiles(packages)
  return language === 'javascript' || language === 'typescript' ? installedFiles(packages) : {}
}

/** Compilers need more than the default. */
const LIMITS = { ...DEFAULT_LIMITS, diskBytes: 256 << 20, memoryBytes: 1024 << 20, processes: 128 }

const runFiles = (
  tools: LocalTools,
  files: ReadonlyMap<string, string>,
  command: string,
): Promise<CommandRun> =>
  runLocally(tools, { files, command, limits: LIMITS, signal: new AbortController().signal })
