// The little this browser remembers between visits. Nothing secret; a browser that keeps nothing is served all the same.

export const recall = (key: string): string | null => withStorage((storage) => storage.getItem(key))
export const remember = (key: string, value: string): void =>
  withStorage((storage) => storage.setItem(key, value)) ?? undefined
export const forget = (key: string): void => withStorage((storage) => storage.removeItem(key)) ?? undefined

function withStorage<T>(use: (storage: Storage) => T): T | null {
  try {
    return typeof localStorage === 'undefined' ? null : use(localStorage)
  } catch (error) {
    // Storage that is forbidden or full is storage that forgets.
    if (error instanceof DOMException) return null
    throw error
  }
}
