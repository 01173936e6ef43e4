// A bound for answers of the database. Without it, whoever waits for an answer that never comes waits for ever.

/** What takes longer is refused like work on a lost connection. */
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
