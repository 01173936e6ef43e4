// Runs a coding client in a new home and a new folder, against the service.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { CLIENT_RECIPES, type ClientValues, fillTemplate } from '@cowrie/sdk/clients'
import type { ClientSetup, CodingClient } from './clients.ts'
import { taskFor } from './edit-session.ts'
import { installClient } from './install.ts'

/** No request of a client takes this long when the model is a fake. */
const RUN_MS = 120_000

export type ClientRun = {
  readonly code: number | null
  readonly output: string
  readonly seconds: number
  /** The content of the file after the run. */
  readonly file: string
  readonly home: string
  readonly folder: string
}

export type RunOptions = {
  /** The address of the service, without a path. */
  readonly address: string
  readonly key: string
  readonly model: string
  /** The content of the file before the run. */
  readonly content: string
}

/** Runs the client with its recipe until it ends. */
export async function runClient(client: CodingClient, options: RunOptions): Promise<ClientRun> {
  const program = await installClient(client)
  const home = mkdtempSync(join(tmpdir(), 'cowrie-client-home-'))
  const folder = mkdtempSync(join(tmpdir(), 'cowrie-client-work-'))
  try {
    const path = join(folder, 'greeting.txt')
    writeFileSync(path, options.content)
    const setup = { ...options, home, folder, prompt: taskFor(path) }
    writeFiles(client, setup)
    const started = performance.now()
    const { code, output } = await execute(program, client, setup)
    const seconds = Math.round((performance.now() - started) / 100) / 10
    return { code, output, seconds, file: readFileSync(path, 'utf8'), home, folder }
  } finally {
    for (const each of [home, folder]) rmSync(each, { recursive: true, force: true, maxRetries: 3 })
  }
}

function writeFiles(client: CodingClient, setup: ClientSetup & { readonly home: string }): void {
  const recipe = CLIENT_RECIPES.find(({ id }) => id === client.recipe)
  const values: ClientValues = {
    baseUrl: setup.address,
    key: setup.key,
    model: setup.model,
    contextTokens: 128_000,
    outputTokens: 8_192,
    images: false,
    time: new Date(0),
  }
  const fromRecipe = recipe?.files.map(({ path, snippet }) => ({
    path: path.unix,
    text: fillTemplate(snippet, values),
  }))
  for (const { path, text } of [...(fromRecipe ?? []), ...(client.files?.(setup) ?? [])]) {
    const target = path.replace(/^~/, setup.home)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text)
  }
}

/** Clients send telemetry and look for updates. A closed proxy refuses all of it at once. */
const NO_INTERNET = Object.fromEntries(
  ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].map((name) => [name, 'http://127.0.0.1:9']),
)
const LOCAL = { NO_PROXY: '127.0.0.1,localhost', no_proxy: '127.0.0.1,localhost' }

function execute(
  program: string,
  client: CodingClient,
  setup: ClientSetup & { readonly home: string },
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, client.args(setup), {
      cwd: setup.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: RUN_MS,
      killSignal: 'SIGKILL',
      env: {
        PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}`,
        HOME: setup.home,
        TERM: 'dumb',
        LANG: 'C.UTF-8',
        ...NO_INTERNET,
        ...LOCAL,
        ...client.variables?.(setup),
      },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output }))
  })
}
