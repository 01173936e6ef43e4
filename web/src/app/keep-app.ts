// Asks the browser to keep the app itself, so that the next visit costs nothing and works without a network.

export function keepApp(): void {
  // Pages without a certificate, and some private windows, have no workers; the app works without.
  if (!('serviceWorker' in navigator)) return
  addEventListener('load', () => {
    void navigator.serviceWorker.register('/app/worker.js', { scope: '/app' }).catch(() => undefined)
  })
}
