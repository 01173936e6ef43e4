// Programs of tests in a scratch folder, run by node, python3, go or bash.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scratchFolder } from './scratch-folder.ts'

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url))

export type ProgramFolder = {
  readonly folder: string
  write(path: string, text: string): void
  /** Runs a program to its end and returns what it printed. Throws with all output when it fails. */
  run(variables: Readonly<Record<string, string>>, command: string, ...parameters: string[]): Promise<string>
  remove(): void
}

/** TypeScript in it imports the packages of this repository. */
export function createProgramFolder(): ProgramFolder {
  const folder = scratchFolder()
  symlinkSync(MODULES, join(folder, 'node_modules'))
  return {
    folder,
    write(path, text) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    },
    async run(variables, command, ...parameters) {
      const child = spawn(command, parameters, {
        cwd: folder,
        env: { PATH: process.env.PATH, HOME: folder, ...variables },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let printed = ''
      let faults = ''
      child.stdout.on('data', (bytes) => {
        printed += bytes
      })
      child.stderr.on('data', (bytes) => {
        faults += bytes
      })
      const [code] = await once(child, 'close')
      if (code !== 0) throw new Error(`${command} ended with ${code}\n${faults}\n${printed}`)
      return printed
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Says loudly that a part of the tests did not run, because Go is not installed. */
export function hasGo(): boolean {
  const { status } = spawnSync('go', ['version'])
  if (status !== 0) process.stderr.write('\n*** Go is not installed: the Go samples did NOT run. ***\n')
  return status === 0
}
