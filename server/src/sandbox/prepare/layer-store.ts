// Finished layers on disk, by organisation. A layer appears complete or not at all, is never changed, and is removed
// when space is needed and no run uses it.
import { mkdir, readFile, rename, rmdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DependencyLayer } from '../dependency-layer.ts'
import { type BuildPlaces, discard, fileTimeMs, listFolder } from './build-lock.ts'

export type LayerQuotas = {
  readonly layerBytes: number
  readonly orgBytes: number
  readonly totalBytes: number
  /** A build stops before the disk has less than this. */
  readonly freeBytes: number
  /** Layers are removed after this time without use. */
  readonly unusedMs: number
}

export const DEFAULT_QUOTAS: LayerQuotas = {
  layerBytes: 2 * 2 ** 30,
  orgBytes: 4 * 2 ** 30,
  totalBytes: 20 * 2 ** 30,
  freeBytes: 2 * 2 ** 30,
  unusedMs: 7 * 24 * 3_600_000,
}

/** The part of a layer that is stored with it. */
export type LayerRecord = Pick<DependencyLayer, 'projectPaths' | 'homePaths'> & {
  readonly tool: string
  readonly bytes: number
  readonly refused: readonly string[]
}

export type LayerFolders = BuildPlaces & { readonly layers: string }

export const layerFolders = (dataDir: string): LayerFolders => ({
  layers: join(dataDir, 'sandbox', 'layers'),
  building: join(dataDir, 'sandbox', 'building'),
  trash: join(dataDir, 'sandbox', 'trash'),
})

const RECORD_FILE = 'layer.json'
const HEARTBEAT_MS = 20_000
/** A layer that was used this recently may be in use by another replica. */
const IN_USE_MS = 60_000

export type StoredLayer = LayerRecord & { readonly folder: string }

/** A finished layer; it counts as used now. */
export async function findLayer(
  { layers }: LayerFolders,
  orgId: string,
  id: string,
): Promise<StoredLayer | null> {
  const folder = join(layers, orgId, id)
  const record = await readRecord(folder)
  if (record === null) return null
  await touch(folder)
  return { ...record, folder }
}

/** Makes a built folder a layer. False if it does not fit into the quotas. */
export async function storeLayer(
  folders: LayerFolders,
  quotas: LayerQuotas,
  { orgId, id, built, record }: { orgId: string; id: string; built: string; record: LayerRecord },
): Promise<boolean> {
  if (!(await makeRoom(folders, quotas, orgId, record.bytes))) return false
  await writeFile(join(built, RECORD_FILE), JSON.stringify(record))
  const place = join(folders.layers, orgId)
  // Another process may remove the empty folder of the organisation in between.
  await mkdir(place, { recursive: true, mode: 0o700 })
  await rename(built, join(place, id)).catch(async () => {
    await mkdir(place, { recursive: true, mode: 0o700 })
    await rename(built, join(place, id))
  })
  return true
}

/** Removes all layers of an organisation. */
export async function removeLayersOf({ layers, trash }: LayerFolders, orgId: string): Promise<void> {
  await discard(join(layers, orgId), trash)
}

/** Removes layers that were not used for long: of lockfiles that changed, and of organisations that are gone. */
export async function removeUnusedLayers(
  { layers, trash }: LayerFolders,
  { unusedMs }: LayerQuotas,
): Promise<void> {
  for (const layer of await listLayers(layers))
    if (isIdle(layer) && fileTimeMs() - layer.usedMs > unusedMs) await discard(layer.folder, trash)
  // Fails while an organisation has layers.
  for (const orgId of await listFolder(layers)) await rmdir(join(layers, orgId)).catch(() => null)
}

const uses = new Map<string, number>()

/** Protects a layer from removal until the returned function is called. */
export async function useLayer({ folder }: DependencyLayer): Promise<() => void> {
  uses.set(folder, (uses.get(folder) ?? 0) + 1)
  const beat = () => touch(folder).catch(() => clearInterval(timer))
  const timer = setInterval(beat, HEARTBEAT_MS)
  timer.unref()
  await beat()
  return () => {
    clearInterval(timer)
    const left = (uses.get(folder) ?? 1) - 1
    if (left > 0) uses.set(folder, left)
    else uses.delete(folder)
  }
}

async function touch(folder: string): Promise<void> {
  const now = fileTimeMs() / 1_000
  await utimes(join(folder, RECORD_FILE), now, now)
}

type ListedLayer = {
  readonly orgId: string
  readonly folder: string
  readonly bytes: number
  readonly usedMs: number
}

/** Removes the layers that were not used for the longest time, until `bytes` more fit. */
async function makeRoom(
  { layers, trash }: LayerFolders,
  quotas: LayerQuotas,
  orgId: string,
  bytes: number,
): Promise<boolean> {
  let all = await listLayers(layers)
  const sum = (some: readonly ListedLayer[]) => some.reduce((total, layer) => total + layer.bytes, bytes)
  const drop = async (some: readonly ListedLayer[]) => {
    const [oldest] = some.filter(isIdle).sort((a, b) => a.usedMs - b.usedMs)
    if (oldest === undefined) return false
    await discard(oldest.folder, trash)
    all = all.filter((layer) => layer !== oldest)
    return true
  }
  const own = () => all.filter((layer) => layer.orgId === orgId)
  while (sum(own()) > quotas.orgBytes) if (!(await drop(own()))) return false
  while (sum(all) > quotas.totalBytes) if (!(await drop(all))) return false
  return true
}

const isIdle = ({ folder, usedMs }: ListedLayer): boolean =>
  !uses.has(folder) && fileTimeMs() - usedMs > IN_USE_MS

async function listLayers(layers: string): Promise<ListedLayer[]> {
  const found: ListedLayer[] = []
  for (const orgId of await listFolder(layers))
    for (const id of await listFolder(join(layers, orgId))) {
      const folder = join(layers, orgId, id)
      const record = await readRecord(folder)
      const seen = await stat(join(folder, RECORD_FILE)).catch(() => null)
      // Another replica may remove it at the same time.
      if (record !== null && seen !== null)
        found.push({ orgId, folder, bytes: record.bytes, usedMs: seen.mtimeMs })
    }
  return found
}

async function readRecord(folder: string): Promise<LayerRecord | null> {
  try {
    return JSON.parse(await readFile(join(folder, RECORD_FILE), 'utf8')) as LayerRecord
  } catch {
    return null
  }
}
