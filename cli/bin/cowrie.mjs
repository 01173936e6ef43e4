#!/usr/bin/env node
// Starts the command from its source, which needs a Node.js that reads TypeScript.
if (!process.features.typescript) {
  process.stderr.write(
    `cowrie: Node.js ${process.versions.node} cannot run this from source; use Node.js 24.\n`,
  )
  process.exit(1)
}
await import('../src/main.ts')
