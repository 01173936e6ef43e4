// The list is built step by step.
const { execFile } = require('child_process')

module.exports = function download(url, done) {
  const args = ['-s']
  args.push('--compressed')
  args.push('x', url)
  execFile('curl', args, done) // ← here
}
