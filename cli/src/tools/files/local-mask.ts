// Hides secrets before anything leaves this computer. The placeholders of a session stay the same after a restart.
import { randomBytes } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { isSecretFile, secretSpans } from '@cowrie/sdk/secrets'
import { createFileReader } from '@cowrie/workspace/search/file-reader.ts'
import { secretRanges } from '@cowrie/workspace/secrets/placeholders.ts'
import { createMask, type SecretMask } from '@cowrie/workspace/secrets/secret-mask.ts'
import type { SecretFormats } from '@cowrie/workspace/secrets/secret-span.ts'
import { decodeText } from '@cowrie/workspace/tools/workspace-text.ts'
import { readRegularFile } from '../../apply/files/safe-read.ts'
import { isRecord, readState, writeState } from '../../system/state-file.ts'
import type { LocalFiles } from './local-files.ts'

export const SECRET_FORMATS: SecretFormats = { isSecretFile, secretSpans }

export type LocalMask = SecretMask & {
  /**
   * Learns the values of files that hold secrets, again when they change. Call it before a text is masked. `isChanged`: a tool may
   * have created such files.
   */
  refresh(isChanged?: boolean): Promise<void>
  /** Learns the secrets of all other files, for a limited time. False if some are left for the next call. */
  learnFolder(): Promise<boolean>
}

const NONCE_BYTES = 32
const SECRET_FILE_BYTES_MAX = 1 << 20
const SECRET_FILES_MAX = 500
const VALUE_CHARACTERS_MIN = 8
const LEARN_MS = 2_000
const FIND_AGAIN_MS = 10_000
const SLICE_MS = 16

export async function openLocalMask(path: string, files: LocalFiles): Promise<LocalMask> {
  const nonce = await nonceIn(path)
  const mask = createMask({
    nonce,
    allowedPaths: new Set(),
    isSecretFile,
    findSpans: async (_, text) => secretSpans(text),
  })
  /** The state of each learned file, so that only changed ones are read again. */
  const stamps = new Map<string, string>()
  let waiting: string[] | null = null
  let known: readonly string[] | null = null
  let foundMs = 0

  async function learn(file: string): Promise<void> {
    const full = join(files.root, file)
    const stamp = stampOf(full)
    if (stamp === null || stamps.get(file) === stamp) return
    stamps.set(file, stamp)
    const read = await readRegularFile(full, SECRET_FILE_BYTES_MAX)
    const text = read && decodeText(read.bytes)
    if (text) await mask.learn(file, text)
  }

  return {
    get withheld() {
      return mask.withheld
    },
    get forWorker() {
      return mask.forWorker
    },
    hide: mask.hide,
    hideOutput: mask.hideOutput,
    isWithheldFile: mask.isWithheldFile,
    learn: mask.learn,
    learnValues: mask.learnValues,
    noteUnexamined: mask.noteUnexamined,
    restore: mask.restore,
    async refresh(isChanged = false) {
      const isOld = performance.now() - foundMs > FIND_AGAIN_MS
      if (isChanged || isOld || known === null) {
        known = await files.secretFiles()
        foundMs = performance.now()
      }
      const paths = known
      const depthOf = (file: string) => file.split('/').length
      const sorted = [...paths].sort((a, b) => depthOf(a) - depthOf(b))
      for (const file of sorted.slice(0, SECRET_FILES_MAX)) await learn(file)
      if (sorted.length > SECRET_FILES_MAX)
        mask.noteUnexamined(sorted[SECRET_FILES_MAX] ?? '', 'too many files that hold secrets')
    },
    async learnFolder() {
      waiting ??= [...(await files.list()).workspace.files.keys()].filter((file) => !isSecretFile(file))
      const endMs = performance.now() + LEARN_MS
      const reader = createFileReader(
        { folder: files.root, paths: waiting, overrides: new Map(), mask: { ...mask.forWorker, values: [] } },
        SECRET_FORMATS,
      )
      let sliceEndMs = performance.now() + SLICE_MS
      for (const { raw, spans } of reader.files()) {
        for (const { start, end } of secretRanges(raw, spans(), []))
          if (end - start >= VALUE_CHARACTERS_MIN) mask.learnValues([raw.slice(start, end)])
        if (performance.now() > endMs) break
        if (performance.now() < sliceEndMs) continue
        await setImmediate()
        sliceEndMs = performance.now() + SLICE_MS
      }
      waiting = waiting.slice(waiting.length - reader.counts.left)
      return waiting.length === 0
    },
  }
}

async function nonceIn(path: string): Promise<string> {
  const isStored = (value: unknown): value is { nonce: string } =>
    isRecord(value) && typeof value.nonce === 'string' && value.nonce.length >= NONCE_BYTES
  const stored = readState(path, isStored)
  if (stored) return stored.nonce
  const nonce = randomBytes(NONCE_BYTES).toString('hex')
  await writeState(path, { nonce })
  return nonce
}

function stampOf(path: string): string | null {
  try {
    const { ino, size, mtimeMs, ctimeMs } = lstatSync(path)
    return [ino, size, mtimeMs, ctimeMs].join(' ')
  } catch {
    // It was deleted. Its values stay hidden.
    return null
  }
}
