// State that commands store between runs: one private JSON file each. A damaged file counts as absent.
import { readFileSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fromJson, toJson } from '@cowrie/sdk'
import { Failure } from '../errors.ts'
import { writeAtomically } from './atomic-write.ts'

const BYTES_MAX = 64 * 1024 * 1024

/** Null when the file is absent or invalid. */
export function readState<T>(path: string, isOne: (value: unknown) => value is T): T | null {
  try {
    const text = readFileSync(path, 'utf8')
    const value: unknown = text.length > BYTES_MAX ? null : fromJson(text)
    return isOne(value) ? value : null
  } catch {
    return null
  }
}

/** Durable when this returns; a crash leaves the old or the new content. */
export async function writeState(path: string, value: unknown): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeAtomically(path, `${toJson(value)}\n`)
  } catch (error) {
    throw new Failure('state_unwritable', `${path} cannot be written (${(error as Error).message}).`)
  }
}

export const removeState = (path: string): void => rmSync(path, { force: true })

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
