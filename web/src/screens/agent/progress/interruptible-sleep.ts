// A pause that ends early when the network is back or the page becomes visible.

const TIMER_MAX_MS = 2 ** 31 - 1

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, Math.min(ms, TIMER_MAX_MS))
    const looked = () => {
      if (!document.hidden) done()
    }
    function done() {
      clearTimeout(timer)
      removeEventListener('online', done)
      document.removeEventListener('visibilitychange', looked)
      resolve()
    }
    addEventListener('online', done)
    document.addEventListener('visibilitychange', looked)
  })
}
