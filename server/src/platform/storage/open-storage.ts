// Opens the storage that SERVICE_STORAGE_URL names.
import { isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openFileStorage } from './file-storage.ts'
import { openS3Storage } from './s3-storage.ts'
import type { Storage } from './storage.ts'

/**
 * `file:` for `<dataDir>/storage`, `file:///another/folder`, or `s3://bucket?endpoint=…&region=…` with the credentials in
 * AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, for temporary ones, AWS_SESSION_TOKEN.
 */
export function openStorage(
  url: string,
  dataDir: string,
  environment: NodeJS.ProcessEnv = process.env,
): Storage {
  if (url === '' || url === 'file:') return openFileStorage(join(dataDir, 'storage'))
  if (url.startsWith('file:///')) {
    const folder = fileURLToPath(url)
    if (isAbsolute(folder)) return openFileStorage(folder)
  }
  if (url.startsWith('s3://')) return openS3Storage(url, environment)
  throw new Error('SERVICE_STORAGE_URL must be file:, file:///folder or s3://bucket?endpoint=…&region=….')
}
