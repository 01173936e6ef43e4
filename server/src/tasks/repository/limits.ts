// The limits of a repository workspace.

const KIB = 1_024
const MIB = 1_024 * KIB
const GIB = 1_024 * MIB

export const FILES_MAX = 50_000
/** Of all files that are not skipped. */
export const TOTAL_BYTES_MAX = GIB
/** Larger files are skipped. */
export const FILE_BYTES_MAX = 32 * MIB
/** Of an archive, with the files that are skipped. */
export const ARCHIVE_BYTES_MAX = 2 * GIB
/** Folders count as entries too. */
export const ARCHIVE_ENTRIES_MAX = 200_000
/** Of bytes that the tree does not explain, such as LFS objects that GitHub packs in place of their pointers. */
export const ARCHIVE_RATIO_MAX = 100
/** Blobs that are fetched one by one in place of an archive. */
export const CHANGED_BLOBS_MAX = 300
/** Blobs that are fetched one by one because the archive lacks them or has another content. Further ones are skipped. */
export const REPAIRED_BLOBS_MAX = 1_000
export const OPEN_TIMEOUT_MS = 10 * 60_000
/** Downloads at once in one process. Others wait. */
export const DOWNLOADS_MAX = 4
export const DOWNLOADS_WAITING_MAX = 200

export type CacheLimits = {
  readonly totalBytes: number
  readonly orgBytes: number
  readonly unusedMs: number
}
export const CACHE_LIMITS: CacheLimits = {
  totalBytes: 20 * GIB,
  orgBytes: 4 * GIB,
  unusedMs: 7 * 24 * 3_600_000,
}
