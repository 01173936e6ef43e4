// Finds the sandboxes that work on this host.
import type { App } from '../platform/app.ts'
import type { CommandInput, CommandRun } from './command-run.ts'
import { findDocker } from './docker/docker.ts'
import { runLocally } from './local/local.ts'
import { findLocalTools, type LocalTools } from './local/local-tools.ts'
import { probeLocalSandbox, withOverlay } from './self-test.ts'

type CommandRunner = (input: CommandInput) => Promise<CommandRun>

export type SandboxProbe =
  /** `tools`: of the local sandbox only. */
  | { readonly run: CommandRunner; readonly doubt: null; readonly tools?: LocalTools }
  | { readonly run: null; readonly doubt: string }

const FRESH_MS = 60_000
const probes = new WeakMap<App, Map<string, { atMs: number; sandbox: Promise<SandboxProbe> }>>()

/** Probed once a minute, so that installed or broken tools are noticed. */
export function findSandbox(app: App, kind: 'local' | 'docker'): Promise<SandboxProbe> {
  const known = probes.get(app) ?? new Map()
  probes.set(app, known)
  const nowMs = app.clock.now().getTime()
  const last = known.get(kind)
  if (last !== undefined && nowMs - last.atMs < FRESH_MS) return last.sandbox
  const sandbox = probeSandbox(app, kind)
  known.set(kind, { atMs: nowMs, sandbox })
  return sandbox
}

async function probeSandbox(app: App, kind: 'local' | 'docker'): Promise<SandboxProbe> {
  const isOn = app.config.sandbox[kind]
  if (isOn === false) return { run: null, doubt: 'it is switched off' }
  try {
    const sandbox = await (kind === 'local' ? probeLocal(app) : findDocker(app.config))
    // A missing sandbox is worth a warning only if it is switched on explicitly.
    if (sandbox.doubt !== null && isOn === true)
      app.log.warn({ kind, doubt: sandbox.doubt }, 'agent.sandbox.unusable')
    return sandbox
  } catch (error) {
    app.log.error({ kind, error }, 'agent.sandbox.probe_failed')
    return { run: null, doubt: 'it could not be tested' }
  }
}

async function probeLocal(app: App): Promise<SandboxProbe> {
  const found = await findLocalTools()
  if ('missing' in found) return { run: null, doubt: found.missing }
  const own = { ...found, ownFolder: app.config.dataDir }
  // If groups can be created but not joined, run without them.
  const choices = own.groups === null ? [own] : [own, { ...own, groups: null }]
  let doubt: string | null = null
  for (const choice of choices) {
    doubt = await probeLocalSandbox(choice)
    if (doubt !== null) continue
    const tools = await withOverlay(choice)
    return { run: (input) => runLocally(tools, input), doubt, tools }
  }
  return { run: null, doubt: doubt ?? 'it was not tested' }
}
