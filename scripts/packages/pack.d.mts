export type PackageFiles = { sdk: string; cli: string }
/** Builds both packages into a folder and says which files they are. */
export function pack(destination: string): Promise<PackageFiles>
/** Builds the SDK into a folder as its package has it. */
export function buildSdk(stage: string): Promise<void>
/** Builds the command into a folder as its package has it. */
export function buildCli(stage: string): Promise<void>
