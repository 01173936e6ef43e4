/** Builds the web app where its source has changed. */
export function buildStale(): void
