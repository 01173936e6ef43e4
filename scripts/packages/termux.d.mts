/** Packs a built CLI and returns the path of the package. */
export function termuxPackage(stage: string, destination: string): string
