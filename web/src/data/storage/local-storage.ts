// Small values that this browser remembers between visits. Nothing secret. Without storage the app still works.

export const readLocal = (key: string): string | null => withStorage((storage) => storage.getItem(key))
export const writeLocal = (key: string, value: string): void =>
  withStorage((storage) => storage.setItem(key, value)) ?? undefined
export const removeLocal = (key: string): void =>
  withStorage((storage) => storage.removeItem(key)) ?? undefined

function withStorage<T>(use: (storage: Storage) => T): T | null {
  try {
    return typeof localStorage === 'undefined' ? null : use(localStorage)
  } catch (error) {
    // Storage is blocked or full.
    if (error instanceof DOMException) return null
    throw error
  }
}
