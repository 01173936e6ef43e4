export function bundlePrograms(folder: string, programs: Readonly<Record<string, string>>): Promise<string[]>
