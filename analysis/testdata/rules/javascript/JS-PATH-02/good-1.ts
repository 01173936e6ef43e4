const unzipper = require('unzipper'), fs = require('fs'), path = require('path')
const root = path.resolve('out')
fs.createReadStream('in.zip').pipe(unzipper.Parse()).on('entry', (entry) => {
  const target = path.resolve(root, entry.path)
  if (!target.startsWith(root + path.sep)) return entry.autodrain()
  entry.pipe(fs.createWriteStream(target))
})
