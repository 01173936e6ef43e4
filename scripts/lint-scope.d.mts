export declare function lintScope(
  root: string,
  record?: string,
): { readonly paths: readonly string[]; readonly pass: () => void }
