// Small values that this browser remembers between visits. Nothing secret. Without storage the app still works.

export const recall = (key: string): string | null => withStorage((storage) => storage.getItem(key))
export const remember = (key: string, value: string): void =>
  withStorage((storage) => storage.setItem(key, value)) ?? undefined
export const forget = (key: string): void => withStorage((storage) => storage.removeItem(key)) ?? undefined

function withStorage<T>(use: (storage: Storage) => T): T | null {
  try {
    return typeof localStorage === 'undefined' ? null : use(localStorage)
  } catch (error) {
    // Storage is blocked or full.
    if (error instanceof DOMException) return null
    throw error
  }
}
