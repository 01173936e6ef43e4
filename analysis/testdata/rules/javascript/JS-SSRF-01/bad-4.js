// The model that uses a tool chooses its arguments.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'

const server = new McpServer({ name: 'pages', version: '1.0.0' })

server.registerTool('read_page', { description: 'Reads a page' }, async ({ url }) => {
  const response = await fetch(url) // ← here
  return { content: [{ type: 'text', text: await response.text() }] }
})
