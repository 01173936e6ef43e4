import util from 'node:util'
import { exec } from 'node:child_process'
const execute = util.promisify(exec)
export default async function handler(req, res) {
  const { branch } = req.body
  await execute(`git checkout ${branch}`) // ← here
}
