// Snapshots on the disk of this machine, by organisation, repository and commit. Several processes may share the disk. A
// snapshot appears whole, by a rename, and is never changed. It is removed only while no process uses it.
//   <data>/repositories/orgs/<organisation>/<repository>/<commit>/{files, leases, index.json, bytes}
//   <data>/repositories/staging: incomplete snapshots, and removed ones
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, rmdir, statfs, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { assert } from '../../kernel/assert.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { once } from '../../kernel/once.ts'
import type { App } from '../../platform/app.ts'
import { codeOf } from './error-code.ts'
import { Leases, timeOf } from './leases.ts'
import type { CacheLimits } from './limits.ts'
import { isComplete, readDiskBytes, readIndex, type SnapshotIndex, writeIndex } from './snapshot-index.ts'

export type HeldSnapshot = {
  readonly index: SnapshotIndex
  readonly folder: string
  release(): Promise<void>
}
export type StagedSnapshot = {
  /** For the files of the snapshot. */
  readonly folder: string
  readonly root: string
  discard(): Promise<void>
}
type CachedSnapshot = {
  readonly target: string
  readonly org: string
  readonly bytes: number
  readonly usedAt: number
}

/** How long a removal stays announced. Longer than it may take, and shorter than the wait of a publication. */
const MARK_MS = 15_000
const REMOVAL_MS_MAX = 5_000
const PUBLISH_MS_MAX = 20_000
const PUBLISH_WAIT_MS = 50
const CHECKED_MAX = 10_000
const FREE_BYTES_MIN = 256 * 1_024 * 1_024
const EVICTING = 'evicting'

export class RepositoryCache {
  private readonly app: App
  private readonly orgs: string
  private readonly staging: string
  private readonly limits: CacheLimits
  private readonly leases: Leases
  /** Snapshots whose files this process has checked. */
  private readonly checked = new Set<string>()
  readonly prepare = once(() => this.removeLeftovers())

  constructor(app: App, limits: CacheLimits) {
    this.app = app
    const root = join(app.config.dataDir, 'repositories')
    this.orgs = join(root, 'orgs')
    this.staging = join(root, 'staging')
    this.limits = limits
    this.leases = new Leases(app)
  }

  targetOf(orgId: OrgId, repositoryId: number, commit: string): string {
    assert(/^\w+$/.test(orgId) && Number.isSafeInteger(repositoryId), 'ids are safe in paths')
    return join(this.orgs, orgId, String(repositoryId), commit)
  }

  /** A snapshot that stays until it is released. Null if there is none, or it is damaged. */
  async acquire(target: string): Promise<HeldSnapshot | null> {
    const leases = join(target, 'leases')
    const lease = await this.leases.create(leases)
    if (lease === null) return null
    const release = once(async () => {
      await this.leases.remove(lease)
      await this.leases.touch(leases)
    })
    const folder = join(target, 'files')
    // The lease is written before this check, and the removal checks leases after it is announced: one sees the other. If the
    // lease is gone, the snapshot was replaced in between.
    const isProtected = !(await this.isBeingRemoved(target)) && (await timeOf(lease)) !== null
    const index = isProtected ? await readIndex(target) : null
    const isUsable = index !== null && (this.checked.has(target) || (await isComplete(folder, index)))
    if (index === null || !isUsable) {
      await release()
      if (isProtected) await this.remove(target)
      return null
    }
    if (this.checked.size >= CHECKED_MAX) this.checked.clear()
    this.checked.add(target)
    await this.leases.touch(leases)
    return { index, folder, release }
  }

  /** The most recently used snapshots of a repository. */
  async acquireBases(target: string, most: number): Promise<HeldSnapshot[]> {
    const found = await this.listRepository(dirname(target))
    const held: HeldSnapshot[] = []
    for (const each of found.sort((a, b) => b.usedAt - a.usedAt).slice(0, most)) {
      const snapshot = await this.acquire(each.target)
      if (snapshot) held.push(snapshot)
    }
    return held
  }

  async createStaging(): Promise<StagedSnapshot> {
    const root = join(this.staging, randomUUID())
    const lease = `${root}.lease`
    await mkdir(this.staging, { recursive: true, mode: 0o700 })
    await this.leases.createAt(lease)
    const folder = join(root, 'files')
    await mkdir(folder, { recursive: true })
    await mkdir(join(root, 'leases'))
    const discard = async () => {
      await removeFolder(root)
      await this.leases.remove(lease)
    }
    return { folder, root, discard }
  }

  /** Makes a snapshot visible. Another process may have been faster: its snapshot is the same. */
  async publish({ root, discard }: StagedSnapshot, target: string, index: SnapshotIndex): Promise<void> {
    await writeIndex(root, index)
    await this.leases.touch(join(root, 'leases'))
    const startedAt = performance.now()
    for (;;) {
      try {
        await mkdir(dirname(target), { recursive: true, mode: 0o700 })
        await rename(root, target)
        this.checked.add(target)
        return await discard()
      } catch (error) {
        if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(codeOf(error))) throw error
        if (performance.now() - startedAt > PUBLISH_MS_MAX) throw new ApiError('busy')
      }
      const existing = await this.acquire(target)
      await existing?.release()
      if (existing) return discard()
      await this.remove(target)
      await sleep(PUBLISH_WAIT_MS)
    }
  }

  /** Removes the least recently used snapshots until `needed` bytes of an organisation fit. */
  async makeRoom(orgId: OrgId, needed: number): Promise<void> {
    const all = (await this.listAll()).sort((a, b) => a.usedAt - b.usedAt)
    const sum = (list: readonly CachedSnapshot[]) => list.reduce((bytes, each) => bytes + each.bytes, 0)
    let total = sum(all) + needed
    let ofOrg = sum(all.filter(({ org }) => org === orgId)) + needed
    const unusedSince = this.app.clock.now().getTime() - this.limits.unusedMs
    for (const { target, org, bytes, usedAt } of all) {
      const isOverOrg = org === orgId && ofOrg > this.limits.orgBytes
      if (total <= this.limits.totalBytes && !isOverOrg && usedAt >= unusedSince) continue
      if (!(await this.remove(target))) continue
      total -= bytes
      if (org === orgId) ofOrg -= bytes
    }
    await this.removeLeftovers()
    await mkdir(this.staging, { recursive: true, mode: 0o700 })
    const { bavail, bsize } = await statfs(this.staging)
    if (bavail * bsize < needed + FREE_BYTES_MIN) throw diskFull(this.app)
  }

  async deleteOrg(orgId: OrgId): Promise<void> {
    assert(/^\w+$/.test(orgId), 'ids are safe in paths')
    await this.discardFolder(join(this.orgs, orgId))
  }

  /** False if the snapshot is in use, or another process removes it. */
  private async remove(target: string): Promise<boolean> {
    if (await this.isBeingRemoved(target)) return false
    const startedAt = performance.now()
    const mark = join(target, EVICTING)
    try {
      await writeFile(mark, '', { flag: 'wx' })
      await this.leases.touch(mark)
    } catch (error) {
      if (['EEXIST', 'ENOENT'].includes(codeOf(error))) return false
      throw error
    }
    const isUsed = await this.leases.isAnyLive(join(target, 'leases'))
    if (isUsed || performance.now() - startedAt > REMOVAL_MS_MAX) {
      await rm(mark, { force: true })
      return false
    }
    this.checked.delete(target)
    await this.discardFolder(target)
    // The folders of the repository and of the organisation may be empty now.
    await rmdir(dirname(target))
      .then(() => rmdir(dirname(dirname(target))))
      .catch((error: unknown) => {
        if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(codeOf(error))) throw error
      })
    return true
  }

  /** The mark of a process that was killed expires. */
  private async isBeingRemoved(target: string): Promise<boolean> {
    const mark = join(target, EVICTING)
    const at = await timeOf(mark)
    if (at === null) return false
    if (this.leases.isFresh(at, MARK_MS)) return true
    await rm(mark, { force: true })
    return false
  }

  /** The folder disappears at once, and its files later. */
  private async discardFolder(folder: string): Promise<void> {
    const trash = join(this.staging, randomUUID())
    await mkdir(this.staging, { recursive: true, mode: 0o700 })
    try {
      await rename(folder, trash)
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return
      throw error
    }
    await removeFolder(trash)
  }

  /** Removes what killed processes left behind. */
  private async removeLeftovers(): Promise<void> {
    for (const name of await namesIn(this.staging)) {
      const path = join(this.staging, name)
      const lease = name.endsWith('.lease') ? path : `${path}.lease`
      if (!(await this.leases.isLive(lease))) await removeFolder(path)
    }
  }

  private async listAll(): Promise<CachedSnapshot[]> {
    const found: CachedSnapshot[] = []
    for (const org of await namesIn(this.orgs))
      for (const repository of await namesIn(join(this.orgs, org)))
        found.push(...(await this.listRepository(join(this.orgs, org, repository))))
    return found
  }

  private async listRepository(folder: string): Promise<CachedSnapshot[]> {
    const found: CachedSnapshot[] = []
    for (const commit of await namesIn(folder)) {
      const target = join(folder, commit)
      const usedAt = await timeOf(join(target, 'leases'))
      const org = basename(dirname(folder))
      if (usedAt !== null) found.push({ target, org, bytes: await readDiskBytes(target), usedAt })
    }
    return found
  }
}

export function diskFull(app: App): ApiError {
  app.log.error({ dataDir: app.config.dataDir }, 'tasks.repository.disk_full')
  return new ApiError('busy')
}

/** Another process may remove the same folder. */
const removeFolder = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true, maxRetries: 3 })

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return []
    throw error
  }
}
