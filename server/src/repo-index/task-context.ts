/** The owner and abort signal of worker tasks. Threads are shared fairly between owners. */
export type TaskContext = { readonly owner: string; readonly signal: AbortSignal }
