/** Package → the only paths in it that the service loads. */
export function loadedFiles(modules: string): Promise<Map<string, Set<string>>>
/** Removes files that the running service never opens. */
export function prune(folder: string, loaded?: ReadonlyMap<string, ReadonlySet<string>>): void
