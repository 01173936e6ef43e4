/** Builds the web app if its source has changed. */
export function buildStale(): void
/** Bundles the service if its source has changed, and returns the path of the program. */
export function buildService(): string
/** For the Node.js that runs the program. */
export const SERVICE_FLAGS: readonly string[]
export const SERVICE_VARIABLES: Readonly<Record<string, string>>
