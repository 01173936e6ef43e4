// Bounds for answers of the database. Without them, a request whose answer is lost waits for ever.
import type { Connection, Pool } from './statements.ts'

/** Refuses what takes longer, like work on a lost connection. */
export function answeredWithin<T>(ms: number, work: PromiseLike<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(Object.assign(new Error('the database did not answer in time'), { code: 'CONNECTION_CLOSED' }))
    }, ms)
    timer.unref()
    work.then(
      (result) => {
        clearTimeout(timer)
        resolve(result)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}

/** A transaction whose beginning and end are bounded. Its statements are not: some set a longer time of their own. */
export async function beginWithin<T>(
  ms: number,
  pool: Pool,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const begun = Promise.withResolvers<void>()
  const worked = Promise.withResolvers<void>()
  let isRefused = false
  const ended = pool.begin(async (connection) => {
    if (isRefused) throw new Error('the transaction was refused before it began')
    begun.resolve()
    try {
      return await work(connection)
    } finally {
      worked.resolve()
    }
  }) as Promise<T>
  // A transaction that was refused may still fail later; nobody waits for that.
  ended.catch(() => undefined)
  try {
    await answeredWithin(ms, Promise.race([begun.promise, ended]))
  } catch (error) {
    isRefused = true
    throw error
  }
  await Promise.race([worked.promise, ended])
  return answeredWithin(ms, ended)
}
