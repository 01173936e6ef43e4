/** Builds the web app if its source has changed. */
export function buildStale(): void
