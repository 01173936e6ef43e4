export function open(target?: string) {
  const own = target ?? window.location.href
  window.location.href = own
}
