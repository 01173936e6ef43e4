export function isFunctionText(given) {
  try {
    new Function(`(${given.trim()})`)
    return true
  } catch {
    return false
  }
}
