export type PackageFiles = { sdk: string; cli: string; termux: string }
/** Builds the packages into a folder and returns their paths. */
export function pack(destination: string): Promise<PackageFiles>
/** Builds the contents of the SDK package into a folder. */
export function buildSdk(stage: string): Promise<void>
/** Builds the contents of the CLI package into a folder. */
export function buildCli(stage: string): Promise<void>
