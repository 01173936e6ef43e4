// Installs dependencies in a temporary data folder, without a whole server.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { App } from '@cowrie/server/src/platform/app.ts'
import { parseRegistries } from '@cowrie/server/src/platform/environment/registries.ts'
import {
  type CommandRun,
  type PreparedDependencies,
  prepareDependencies,
  runCommand,
  type SandboxTree,
} from '@cowrie/server/src/sandbox/sandbox.ts'

type Files = Readonly<Record<string, string>> | ReadonlyMap<string, string>
type ReadyDependencies = PreparedDependencies & { state: 'ready' }
type Options = NonNullable<Parameters<typeof prepareDependencies>[2]>

export type PrepareRequest = Options & {
  readonly orgId?: string
  readonly registries?: string
  readonly command?: string
  readonly signal?: AbortSignal
}

/** An app that can only install dependencies and run commands. */
export function createPrepareApp(dataDir: string, registries: string): App {
  const parts: Partial<App> = {
    config: {
      dataDir,
      sandboxRegistries: parseRegistries(registries),
      sandbox: { local: true, docker: false },
    } as App['config'],
    clock: { now: () => new Date(0) } as App['clock'],
    log: { info() {}, warn() {}, error: console.error } as unknown as App['log'],
  }
  return parts as App
}

export const toTree = (files: Files): SandboxTree => ({
  folder: null,
  files: files instanceof Map ? files : new Map(Object.entries(files)),
  deleted: new Set(),
})

const never = new AbortController().signal

export class PrepareWorld {
  readonly dataDir: string = mkdtempSync(join(tmpdir(), 'cowrie-prepare-'))
  readonly #registries: string
  /** One app per list of registries, because each probes the sandbox. */
  readonly #apps = new Map<string, App>()

  constructor(registries: string) {
    this.#registries = registries
  }

  app(registries: string = this.#registries): App {
    const app = this.#apps.get(registries) ?? createPrepareApp(this.dataDir, registries)
    this.#apps.set(registries, app)
    return app
  }

  prepare(
    files: Files,
    { orgId = 'org_a', registries, command, signal = never, ...options }: PrepareRequest = {},
  ): Promise<PreparedDependencies> {
    const tree = toTree(files)
    return prepareDependencies(
      this.app(registries),
      { orgId, tree, signal, ...(command !== undefined && { command }) },
      options,
    )
  }

  async prepareReady(files: Files, request: PrepareRequest = {}): Promise<ReadyDependencies> {
    const prepared = await this.prepare(files, request)
    if (prepared.state === 'ready') return prepared
    throw new Error(JSON.stringify(prepared))
  }

  run(files: Files, { layer }: ReadyDependencies, command: string): Promise<CommandRun> {
    return runCommand(this.app(), {
      ...{ kind: 'local', owner: 'org_a', tree: toTree(files), layer, command, signal: never },
    })
  }

  folder(name: 'layers' | 'building' | 'trash'): string {
    return join(this.dataDir, 'sandbox', name)
  }

  names(name: 'layers' | 'building' | 'trash'): string[] {
    return existsSync(this.folder(name)) ? readdirSync(this.folder(name)) : []
  }

  close(): void {
    // Paths may be longer than Node.js can remove.
    execFileSync('rm', ['-rf', this.dataDir])
  }
}
