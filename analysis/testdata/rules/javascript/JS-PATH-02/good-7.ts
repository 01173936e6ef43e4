const fstream = require('fstream'), path = require('path'), tar = require('tar')
exports.unpack = (source, folder) => {
  source.pipe(new tar.Parse()).on('entry', (entry) => {
    const target = path.join(folder, path.normalize('/' + entry.path))
    if (target.indexOf(folder + path.sep) === 0) entry.pipe(fstream.Writer({ path: target }))
  })
}
